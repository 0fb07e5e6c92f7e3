#include "schema/rules/rule_lengths.h"

#include "schema/table/read.h"

namespace knead::schema {
namespace {

/// Returns the rows of the training set if the recipe alone says so: [begin, end) in rows, none of
/// them held out.
std::optional<double> training_rows(const RuleView& recipe) {
  const Node* rows = recipe.find("data.train.rows");
  if (!rows) return std::nullopt;
  Quantity begin;
  Quantity end;
  read(rows->items[0], begin);
  read(rows->items[1], end);
  for (const char* set : {"data.validation.hold_out", "data.test.hold_out"}) {
    if (!recipe.is_absent(set)) return std::nullopt;
  }
  const bool known = begin.unit == Unit::rows && end.unit == Unit::rows && begin.value < end.value;
  return known ? std::optional<double>(end.value - begin.value) : std::nullopt;
}

}  // namespace

std::optional<Epoch> epoch_of(const RuleView& recipe) {
  const auto samples = training_rows(recipe);
  const auto batch = recipe.number("batch.size");
  const Node* drop_last = recipe.find("data.drop_last");
  if (!samples || !batch || !drop_last) return std::nullopt;
  return Epoch{*samples, *batch, drop_last->boolean,
               recipe.number("data.train.context").value_or(0)};
}

const char* whole_of_schedule(const RuleView& recipe) {
  return recipe.is_absent("schedule.over") ? "train.until" : "schedule.over";
}

std::optional<Compared> compare_lengths(const RuleView& recipe, const std::string& part,
                                        const std::string& whole) {
  const auto one = recipe.quantity(part);
  const auto all = recipe.quantity(whole);
  if (!one || !all) return std::nullopt;
  if (one->unit == Unit::percent) return Compared{one->value / 100, 1};
  if (one->unit == all->unit && one->unit != Unit::seconds) return Compared{one->value, all->value};
  const auto epoch = epoch_of(recipe);
  const auto total = in_steps(*all, epoch);
  const auto steps = in_steps(*one, epoch);
  if (!total || !steps) return std::nullopt;
  return Compared{*steps, *total};
}

}  // namespace knead::schema
