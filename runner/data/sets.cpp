#include "runner/data/sets.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "runner/data/csv.h"
#include "runner/plan/order.h"
#include "schema/error.h"

namespace knead::data {
namespace {

using Rows = std::vector<std::uint64_t>;

/// A row number, or a share of all rows, rounded down.
std::uint64_t row_of(const schema::Quantity& quantity, std::uint64_t rows) {
  if (quantity.unit == schema::Unit::rows) return static_cast<std::uint64_t>(quantity.value);
  return static_cast<std::uint64_t>(quantity.value / 100 * static_cast<double>(rows));
}

Rows select_rows(const std::string& name, const recipe::Csv& csv, std::uint64_t rows) {
  const std::uint64_t begin = csv.rows ? row_of(csv.rows->at(0), rows) : 0;
  const std::uint64_t end = csv.rows ? row_of(csv.rows->at(1), rows) : rows;
  if (end > rows) {
    throw Error(
        fmt::format("data.{}.rows ends at {}, {} has {} rows", name, end, csv.path.string(), rows),
        "rows are counted from 0, without the header");
  }
  if (begin >= end) throw Error(fmt::format("data.{} has no rows", name), "give it some");
  Rows out;
  for (std::uint64_t row = begin; row < end; ++row) out.push_back(row);
  return out;
}

/// Takes a share of the rows out of them, drawn by the seed, both parts in their order.
Rows hold_out(Rows& from, const schema::Quantity& share, std::uint64_t seed) {
  const bool is_percent = share.unit == schema::Unit::percent;
  const double wanted =
      is_percent ? share.value / 100 * static_cast<double>(from.size()) : share.value;
  const auto count = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(wanted)));
  if (count >= from.size()) {
    throw Error(fmt::format("hold_out takes {} of {} rows and leaves none", count, from.size()),
                "hold out fewer");
  }
  const plan::Permutation order(from.size(), seed, plan::Purpose::hold_out, 0);
  std::vector<bool> is_held(from.size());
  for (std::uint64_t i = 0; i < count; ++i) is_held[order[i]] = true;
  Rows held;
  Rows kept;
  for (std::size_t i = 0; i < from.size(); ++i) (is_held[i] ? held : kept).push_back(from[i]);
  from = std::move(kept);
  return held;
}

/// The sets of a recipe by name, while their rows are being dealt out.
class Dealer {
 public:
  Dealer(const recipe::Data& data, std::uint64_t seed) : seed_(seed) {
    add("train", data.train);
    if (data.validation) add("validation", *data.validation);
    if (data.test) add("test", *data.test);
  }

  Sets deal() {
    for (auto& [name, set] : sets_) {
      if (!set.csv->hold_out) set.rows = select_rows(name, *set.csv, set.table->rows);
    }
    for (const char* name : {"validation", "test", "train"}) hold_out_for(name);
    return {take("train"), take_if("validation"), take_if("test")};
  }

 private:
  struct Dealt {
    const recipe::Csv* csv;
    std::shared_ptr<const Table> table;
    Rows rows;
  };

  void add(const std::string& name, const recipe::DataSet& set) {
    const auto& csv = std::get<recipe::Csv>(set);
    sets_[name] = {&csv, nullptr, {}};
    for (const auto& [other, dealt] : sets_) {
      if (dealt.table && reads_the_same(*dealt.csv, csv)) sets_[name].table = dealt.table;
    }
    if (!sets_[name].table) sets_[name].table = std::make_shared<const Table>(read_csv(csv));
  }

  static bool reads_the_same(const recipe::Csv& a, const recipe::Csv& b) {
    const auto same_field = [](const auto& x, const auto& y) {
      return x.first == y.first && x.second.columns == y.second.columns &&
             x.second.dtype == y.second.dtype && x.second.shape == y.second.shape &&
             x.second.scale == y.second.scale && x.second.offset == y.second.offset;
    };
    return a.path == b.path && a.delimiter == b.delimiter && a.header == b.header &&
           std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                      same_field);
  }

  void hold_out_for(const std::string& name) {
    const auto set = sets_.find(name);
    if (set == sets_.end() || !set->second.csv->hold_out) return;
    Dealt& other = sets_.at(set->second.csv->like.value());
    set->second.rows = hold_out(other.rows, *set->second.csv->hold_out, seed_);
  }

  Set take(const std::string& name) {
    Dealt& dealt = sets_.at(name);
    return {dealt.table, std::move(dealt.rows)};
  }

  std::optional<Set> take_if(const std::string& name) {
    return sets_.contains(name) ? std::optional<Set>(take(name)) : std::nullopt;
  }

  std::uint64_t seed_;
  std::map<std::string, Dealt> sets_;
};

}  // namespace

Set::Set(std::shared_ptr<const Table> table, std::vector<std::uint64_t> rows)
    : table_(std::move(table)), rows_(std::move(rows)) {}

void Set::gather(const Field& field, std::span<const std::uint64_t> samples,
                 std::byte* destination) const {
  const std::size_t bytes = field.bytes_per_sample();
  for (const std::uint64_t sample : samples) {
    std::memcpy(destination, field.values.data() + rows_[sample] * bytes, bytes);
    destination += bytes;
  }
}

Sets read_sets(const recipe::Data& data, std::uint64_t seed) { return Dealer(data, seed).deal(); }

}  // namespace knead::data
