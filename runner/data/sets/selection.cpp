#include "runner/data/sets/selection.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "runner/data/sets/data_files.h"
#include "runner/data/sets/open.h"
#include "runner/data/source/share.h"
#include "runner/plan/order.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

/// Returns a row number, or a share of all rows rounded down.
std::uint64_t row_of(const schema::Quantity& quantity, std::uint64_t rows) {
  if (quantity.unit == schema::Unit::rows) return static_cast<std::uint64_t>(quantity.value);
  return share_of(quantity.value, rows);
}

/// Holds for kinds of sets that may take some rows of their files. A mix is not one, because its
/// sets select the rows.
template <class Kind>
concept SelectsRows = !CutsSamples<Kind> && requires(const Kind& kind) {
  kind.rows;
};

/// Holds for kinds of sets whose samples may be transformed.
template <class Kind>
concept TransformsSamples = requires(const Kind& kind) {
  kind.transforms;
};

/// Begins a message about the files of a set: "digits.csv has", "its 3 files have".
std::string files_have(const recipe::DataSet& set) {
  const auto files = files_of(set);
  return files.size() == 1 ? files[0].string() + " has"
                           : fmt::format("its {} files have", files.size());
}

}  // namespace

Selection selection_of(const recipe::DataSet& set) {
  return std::visit(
      []<class Kind>(const Kind& kind) {
        Selection selection{std::nullopt, kind.like, kind.hold_out};
        if constexpr (SelectsRows<Kind>) selection.rows = kind.rows;
        return selection;
      },
      set);
}

recipe::DataSet without_selection(recipe::DataSet set) {
  std::visit(
      []<class Kind>(Kind& kind) {
        if constexpr (SelectsRows<Kind>) kind.rows.reset();
        kind.like.reset();
        kind.hold_out.reset();
        if constexpr (requires { kind.weight; }) kind.weight.reset();
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

Rows select_rows(const std::string& name, const recipe::DataSet& set, const Selection& selection,
                 std::uint64_t rows) {
  const std::uint64_t begin = selection.rows ? row_of(selection.rows->at(0), rows) : 0;
  const std::uint64_t end = selection.rows ? row_of(selection.rows->at(1), rows) : rows;
  if (end > rows) {
    throw Error(fmt::format("{}.rows ends at {}, {} {} rows", name, end, files_have(set), rows),
                "rows are counted from 0, without the header");
  }
  if (begin >= end) throw Error(fmt::format("{} has no rows", name), "give it some");
  return {begin, end};
}

Rows hold_out(Rows& from, std::uint64_t whole, const schema::Quantity& share, std::uint64_t seed) {
  const bool is_percent = share.unit == schema::Unit::percent;
  const double wanted = is_percent ? share.value * static_cast<double>(whole) / 100 : share.value;
  // A set with a share of nothing would be empty, so at least one row is held out.
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

recipe::DataSet set_of(const recipe::MixMember& member) {
  return std::visit([](const auto& kind) -> recipe::DataSet { return kind; }, member);
}

}  // namespace knead::data
