#include "runner/data/sets.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "runner/data/data_files.h"
#include "runner/data/images/image_list.h"
#include "runner/data/open.h"
#include "runner/data/sampler.h"
#include "runner/data/transforms/transformed_source.h"
#include "runner/plan/order.h"
#include "schema/error.h"

namespace knead::data {
namespace {

/// A row number, or a share of all rows, rounded down.
std::uint64_t row_of(const schema::Quantity& quantity, std::uint64_t rows) {
  if (quantity.unit == schema::Unit::rows) return static_cast<std::uint64_t>(quantity.value);
  return static_cast<std::uint64_t>(quantity.value / 100 * static_cast<double>(rows));
}

/// What data sets of every kind say about which rows they take.
struct Selection {
  std::optional<std::vector<schema::Quantity>> rows;
  std::optional<std::string> like;
  std::optional<schema::Quantity> hold_out;
};

Selection selection_of(const recipe::DataSet& set) {
  return std::visit(
      []<class Kind>(const Kind& kind) {
        Selection selection{kind.rows, kind.like, kind.hold_out};
        if constexpr (CutsSamples<Kind>) selection.rows.reset();
        return selection;
      },
      set);
}

/// A kind of set whose samples may be transformed.
template <class Kind>
concept TransformsSamples = requires(const Kind& kind) {
  kind.transforms;
};

/// A set's keys but for which rows it takes: equal ones name the same source.
recipe::DataSet without_selection(recipe::DataSet set) {
  std::visit(
      []<class Kind>(Kind& kind) {
        if constexpr (!CutsSamples<Kind>) kind.rows.reset();
        kind.like.reset();
        kind.hold_out.reset();
        if constexpr (TransformsSamples<Kind>) kind.transforms.clear();
      },
      set);
  return set;
}

std::vector<recipe::Transform> transforms_of(const recipe::DataSet& set) {
  return std::visit(
      []<class Kind>(const Kind& kind) {
        if constexpr (TransformsSamples<Kind>) return kind.transforms;
        return std::vector<recipe::Transform>();
      },
      set);
}

/// Lets all sets of images count classes as the one that is trained on does.
recipe::Data with_classes(recipe::Data data) {
  const auto* train = std::get_if<recipe::Images>(&data.train);
  if (!train) return data;
  const std::vector<std::string> classes = classes_of(*train);
  for (recipe::DataSet* set : {&data.train, data.validation ? &*data.validation : nullptr,
                               data.test ? &*data.test : nullptr}) {
    auto* images = set ? std::get_if<recipe::Images>(set) : nullptr;
    if (images && !images->classes && !classes.empty()) images->classes = classes;
  }
  return data;
}

/// "digits.csv has", "its 3 files have".
std::string files_have(const recipe::DataSet& set) {
  const auto files = files_of(set);
  return files.size() == 1 ? files[0].string() + " has"
                           : fmt::format("its {} files have", files.size());
}

Rows select_rows(const std::string& name, const recipe::DataSet& set, const Selection& selection,
                 std::uint64_t rows) {
  const std::uint64_t begin = selection.rows ? row_of(selection.rows->at(0), rows) : 0;
  const std::uint64_t end = selection.rows ? row_of(selection.rows->at(1), rows) : rows;
  if (end > rows) {
    throw Error(
        fmt::format("data.{}.rows ends at {}, {} {} rows", name, end, files_have(set), rows),
        "rows are counted from 0, without the header");
  }
  if (begin >= end) throw Error(fmt::format("data.{} has no rows", name), "give it some");
  return {begin, end};
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
  std::vector<std::uint64_t> held;
  std::vector<std::uint64_t> kept;
  for (std::size_t i = 0; i < from.size(); ++i) (is_held[i] ? held : kept).push_back(from[i]);
  from = Rows(std::move(kept));
  return Rows(std::move(held));
}

/// The sets of a recipe by name, while their rows are being dealt out.
class Dealer {
 public:
  Dealer(const recipe::Data& data, std::uint64_t seed) : seed_(seed) {
    opening_.seed = seed;
    add("train", data.train);
    if (data.validation) add("validation", *data.validation);
    if (data.test) add("test", *data.test);
  }

  Sets deal() {
    for (auto& [name, set] : sets_) {
      if (!set.selection.hold_out)
        set.rows = select_rows(name, set.keys, set.selection, set.source->rows());
    }
    for (const char* name : {"validation", "test", "train"}) hold_out_for(name);
    return {take("train"), take_if("validation"), take_if("test"), opening_.tokenizer};
  }

 private:
  struct Dealt {
    recipe::DataSet keys;  // that name the source
    Selection selection;
    std::shared_ptr<const Source> source;
    Rows rows;
    std::vector<recipe::Transform> transforms;
  };

  void add(const std::string& name, const recipe::DataSet& set) {
    Dealt added{without_selection(set), selection_of(set), nullptr, {}, {}};
    for (const auto& [other, dealt] : sets_) {
      if (dealt.keys == added.keys) added.source = dealt.source;
    }
    opening_.set = "data." + name;
    if (!added.source) added.source = open(added.keys, opening_);
    added.transforms = transforms_of(set);
    sets_.emplace(name, std::move(added));
  }

  void hold_out_for(const std::string& name) {
    const auto set = sets_.find(name);
    if (set == sets_.end() || !set->second.selection.hold_out) return;
    const std::string& from = set->second.selection.like.value();
    Dealt& other = sets_.at(from);
    if (set->second.source->rows() != other.source->rows()) {
      throw Error(fmt::format("data.{} is to hold out rows of data.{}, but has {} rows and not {}",
                              name, from, set->second.source->rows(), other.source->rows()),
                  "let it read the same files");
    }
    set->second.rows = hold_out(other.rows, *set->second.selection.hold_out, seed_);
  }

  Set take(const std::string& name) {
    Dealt& dealt = sets_.at(name);
    if (dealt.transforms.empty()) return {dealt.source, std::move(dealt.rows)};
    return {std::make_shared<const TransformedSource>(dealt.source, dealt.transforms, seed_,
                                                      name == "train",
                                                      fmt::format("data.{}.transforms", name)),
            std::move(dealt.rows)};
  }

  std::optional<Set> take_if(const std::string& name) {
    return sets_.contains(name) ? std::optional<Set>(take(name)) : std::nullopt;
  }

  std::uint64_t seed_;
  Opening opening_;
  std::map<std::string, Dealt> sets_;
};

}  // namespace

Set::Set(std::shared_ptr<const Source> source, Rows rows)
    : source_(std::move(source)), rows_(std::move(rows)) {}

void Set::find_rows(std::span<const std::uint64_t> samples, std::vector<std::uint64_t>& out) const {
  out.resize(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) out[i] = rows_[samples[i]];
}

Sets read_sets(const recipe::Data& data, std::uint64_t seed) {
  Sets sets = Dealer(with_classes(data), seed).deal();
  if (data.sampler) {
    const auto weights = sampling_weights(sets.train, *data.sampler);
    sets.order = {std::make_shared<const plan::WeightedDraw>(weights), seed};
  } else {
    sets.order = {sets.train.size(), seed, data.shuffle};
  }
  return sets;
}

}  // namespace knead::data
