#include <algorithm>

#include <fmt/format.h>

#include "schema/document/count_words.h"
#include "schema/document/scalar.h"
#include "schema/rules/divisors.h"
#include "schema/rules/rule_lengths.h"
#include "schema/rules/rule_list.h"

namespace knead::schema {

void batch_divides(const RuleView& recipe) {
  const Node* size = recipe.find("batch.size");
  const Node* micro = recipe.find("batch.micro");
  if (!size || !micro || size->integer % micro->integer == 0) return;
  // The hint offers both ways out, because only the user knows which size matters.
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

void ranks_share_the_batch(const RuleView& recipe) {
  const Node* size = recipe.find("batch.size");
  const Node* ranks = recipe.find("distributed.ranks");
  if (!size || !ranks || ranks->integer <= size->integer) return;
  recipe.error("batch-divisible", size->place,
               fmt::format("batch.size: {} cannot be divided over {} ranks ({})",
                           count_words(size->integer, "sample"), ranks->integer,
                           recipe.where("distributed.ranks")),
               fmt::format("distributed.ranks must be at most {}", size->integer));
}

void nccl_has_gpus(const RuleView& recipe) {
  const std::string device = recipe.text("device");
  if (recipe.text("distributed.backend") != "nccl" || device.empty() || device == "cuda") return;
  recipe.error("needs-other-key", recipe.key_place("distributed.backend"),
               fmt::format("'backend: nccl' needs 'device: cuda', here it is {} ({})", device,
                           recipe.where("device")),
               "'backend: auto' takes what the device needs");
}

void batch_fits_the_data(const RuleView& recipe) {
  const auto epoch = epoch_of(recipe);
  const Node* size = recipe.find("batch.size");
  if (!epoch || !size || epoch->batch <= epoch->samples) return;
  const std::string rows = fmt::format("{} has {} rows", recipe.reference("data.train.rows"),
                                       number_text(epoch->samples));
  // Without drop_last the smaller batch is still trained on, so the run does something.
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
  } else if (value && recipe.meant("clip.norm_type")) {
    recipe.error("needs-other-key", recipe.key_place("clip.norm_type"), "'norm_type' needs 'norm'",
                 "");
  }
}

void profile_is_in_the_run(const RuleView& recipe) {
  const Node* steps = recipe.find("profile.steps");
  const auto until = recipe.quantity("train.until");
  if (!steps) return;
  const std::int64_t first = steps->items[0].integer;
  const std::int64_t last = steps->items[1].integer;
  if (last < first) {
    recipe.error("profile-empty", steps->place,
                 fmt::format("profile.steps ends at {}, before it begins at {}", last, first),
                 fmt::format("the first step, then the last: [{}, {}]", last, first));
    return;
  }
  const auto run = until ? in_steps(*until, epoch_of(recipe)) : std::nullopt;
  if (!run || *run >= static_cast<double>(last)) return;
  const bool is_partly = *run >= static_cast<double>(first);
  recipe.warning("profile-outside", steps->place,
                 fmt::format("the run ends after step {}: {}", number_text(*run),
                             recipe.reference("train.until")),
                 is_partly ? fmt::format("steps {} to {} are profiled", first, number_text(*run))
                           : "nothing would be profiled");
}

void scaler_has_fp16(const RuleView& recipe) {
  const std::string compute = recipe.text("precision.compute");
  if (compute.empty() || compute == "fp16") return;
  if (!recipe.meant("precision.scaler")) return;
  recipe.error("needs-other-key", recipe.key_place("precision.scaler"),
               fmt::format("'scaler' needs 'compute: fp16', here it is {}", compute),
               "bf16 needs no scaler: its range is that of fp32");
}

void sinks_are_distinct(const RuleView& recipe) {
  const Node* sinks = recipe.find("track.to");
  if (!sinks) return;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < sinks->items.size(); ++i) {
    const std::string kind = recipe.text(fmt::format("track.to.{}.type", i));
    if (kind.empty() || seen.insert(kind).second) continue;
    recipe.error("duplicate-sink", sinks->items[i].place,
                 fmt::format("'{}' is there twice in track.to", kind),
                 "each kind of sink has its files, or its run at a server, once");
  }
}

}  // namespace knead::schema
