#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "schema/lengths.h"
#include "schema/read.h"
#include "schema/rule_list.h"
#include "schema/scalar.h"

namespace knead::schema {
namespace {

/// Rows of the training set where the recipe alone says so: [begin, end) in rows, nothing held out
/// of it.
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

std::optional<Epoch> epoch_of(const RuleView& recipe) {
  const auto samples = training_rows(recipe);
  const auto batch = recipe.number("batch.size");
  const Node* drop_last = recipe.find("data.drop_last");
  if (!samples || !batch || !drop_last) return std::nullopt;
  return Epoch{*samples, *batch, drop_last->boolean,
               recipe.number("data.train.context").value_or(0)};
}

std::int64_t nearest_divisor(std::int64_t of, std::int64_t to) {
  for (std::int64_t distance = 0;; ++distance) {
    if (to - distance >= 1 && of % (to - distance) == 0) return to - distance;
    if (to + distance <= of && of % (to + distance) == 0) return to + distance;
  }
}

}  // namespace

void batch_divides(const RuleView& recipe) {
  const Node* size = recipe.find("batch.size");
  const Node* micro = recipe.find("batch.micro");
  if (!size || !micro || size->integer % micro->integer == 0) return;
  const std::int64_t below = size->integer / micro->integer * micro->integer;
  const std::string sizes = below > 0 ? fmt::format("{} or {}", below, below + micro->integer)
                                      : fmt::format("{}", micro->integer);
  recipe.error(
      "batch-divisible", micro->place,
      fmt::format("batch.micro {} does not divide batch.size {} ({})", micro->integer,
                  size->integer, recipe.where("batch.size")),
      fmt::format("batch.micro: {} would, and so would batch.size: {}",
                  nearest_divisor(size->integer, std::min(micro->integer, size->integer)), sizes));
}

void batch_fits_the_data(const RuleView& recipe) {
  const auto epoch = epoch_of(recipe);
  const Node* size = recipe.find("batch.size");
  if (!epoch || !size || epoch->batch <= epoch->samples) return;
  const std::string rows = fmt::format("{} has {} rows", recipe.reference("data.train.rows"),
                                       number_text(epoch->samples));
  if (epoch->drop_last) {
    recipe.error("batch-too-large", size->place,
                 fmt::format("batch.size {} leaves no step in an epoch: {}, and data.drop_last "
                             "drops the smaller batch",
                             size->integer, rows),
                 fmt::format("batch.size must be at most {}", number_text(epoch->samples)));
  } else {
    recipe.warning("batch-too-large", size->place,
                   fmt::format("batch.size {} is never reached: {}", size->integer, rows),
                   "each step sees all of them");
  }
}

void warmup_fits_the_run(const RuleView& recipe) {
  const auto warmup = recipe.quantity("schedule.warmup");
  const bool has_over = recipe.find("schedule.type") && recipe.text("schedule.type") == "cosine" &&
                        !recipe.is_absent("schedule.over");
  const char* whole = has_over ? "schedule.over" : "train.until";
  const auto length = recipe.quantity(whole);
  if (!warmup || !length) return;
  const auto epoch = epoch_of(recipe);
  const bool same_unit = warmup->unit == length->unit && warmup->unit != Unit::seconds;
  const auto total = same_unit ? std::optional<double>(length->value) : in_steps(*length, epoch);
  const auto rise =
      same_unit ? std::optional<double>(warmup->value) : in_steps(*warmup, epoch, total);
  const bool is_whole_share = warmup->unit == Unit::percent && warmup->value >= 100;
  if (!is_whole_share && (!total || !rise || *rise < *total)) return;
  recipe.error(
      "warmup-too-long", recipe.find("schedule.warmup")->place,
      fmt::format("the warm-up of {} is not shorter than {} {} ({})",
                  recipe.text("schedule.warmup"), whole, recipe.text(whole), recipe.where(whole)),
      "the learning rate would never be reached");
}

void schedule_knows_its_length(const RuleView& recipe) {
  const auto until = recipe.quantity("train.until");
  if (!until || until->unit != Unit::seconds) return;
  const bool falls = recipe.text("schedule.type") == "cosine";
  if (falls && recipe.is_absent("schedule.over")) {
    recipe.error("schedule-needs-over", recipe.key_place("schedule"),
                 fmt::format("a cosine needs to know its end; {} is a time",
                             recipe.reference("train.until")),
                 "write schedule.over, in steps or epochs");
  }
  const auto warmup = recipe.quantity("schedule.warmup");
  if (warmup && warmup->unit == Unit::percent && recipe.is_absent("schedule.over")) {
    recipe.error(
        "schedule-needs-over", recipe.find("schedule.warmup")->place,
        fmt::format("a share of the run is unknown; {} is a time", recipe.reference("train.until")),
        "write the warm-up in steps or epochs");
  }
}

void clip_has_one_bound(const RuleView& recipe) {
  if (!recipe.find("clip")) return;
  const bool norm = recipe.find("clip.norm") != nullptr;
  const bool value = recipe.find("clip.value") != nullptr;
  if (norm && value) {
    recipe.error("not-together", recipe.key_place("clip.value"),
                 fmt::format("clip has both 'value' and {}", recipe.reference("clip.norm")),
                 "keep one of them");
  } else if (recipe.is_absent("clip.norm") && recipe.is_absent("clip.value")) {
    recipe.error("missing-key", recipe.key_place("clip"), "clip needs 'norm' or 'value'",
                 "for example 'norm: 1.0'");
  } else if (value && recipe.written("clip.norm_type")) {
    recipe.error("needs-other-key", recipe.key_place("clip.norm_type"), "'norm_type' needs 'norm'",
                 "");
  }
}

void scaler_has_fp16(const RuleView& recipe) {
  if (!recipe.written("precision.scaler")) return;
  const std::string compute = recipe.text("precision.compute");
  if (compute.empty() || compute == "fp16") return;
  recipe.error("needs-other-key", recipe.key_place("precision.scaler"),
               fmt::format("'scaler' needs 'compute: fp16', here it is {}", compute),
               "bf16 needs no scaler: its range is that of fp32");
}

}  // namespace knead::schema
