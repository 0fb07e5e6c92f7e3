#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "runner/peers/translate.h"
#include "schema/document/suggest.h"

namespace knead::peers {
namespace {

/// Returns whether a switch is on: true, auto or full.
bool is_wanted(const Item* item) { return item && !item->is_off(); }

/// Translates a precision by its name: fp16, bfloat16, no, fp8.
void named(Translation& in, Item* item, const std::string& note = "") {
  const std::string name = schema::folded(last_name(text_of(*item)));
  if (name == "bf16" || name == "bfloat16") {
    in.draft.set("precision.compute", "bf16").of(item).note = note;
  } else if (name == "fp16" || name == "float16") {
    in.draft.set("precision.compute", "fp16").of(item).note = note;
  } else if (name == "fp32" || name == "float32" || item->is_off()) {
    in.draft.set("precision.compute", "fp32").of(item);
  } else {
    item->fate = Fate::without;
    item->reason = "numbers of 8 bits; nearest is precision.compute: bf16";
  }
}

/// Returns the switch for a part that is on. There may be two for one part, such as bf16 and
/// bfloat16, of which one is false.
Item* switch_of(Theirs& theirs, Part part) {
  const std::vector<Item*> all = theirs.all(part);
  const auto found = std::find_if(all.begin(), all.end(), is_wanted);
  return found == all.end() ? nullptr : *found;
}

void by_switches(Translation& in) {
  Item* bf16 = switch_of(in.theirs, Part::bf16);
  Item* fp16 = switch_of(in.theirs, Part::fp16);
  Item* tf32 = switch_of(in.theirs, Part::tf32);
  // tf32 comes last: beside bf16 or fp16 it only concerns the few products that stay in fp32.
  Item* item = bf16 ? bf16 : fp16 ? fp16 : tf32;
  if (!item) return;
  Setting& line = in.draft.set("precision.compute", bf16 ? "bf16" : fp16 ? "fp16" : "tf32");
  line.of(item);
  if (item->shown() == "auto") line.noted("fp16 there where a GPU has no bf16");
  const bool has_weights_in_it = item->path == "bfloat16" || item->path == "float16";
  if (has_weights_in_it || item->shown() == "full")
    line.noted("weights too, there; here they stay in fp32");
}

/// Translates the factor on the loss, which DeepSpeed doubles and halves as knead does.
void scaler(Translation& in) {
  Item* fixed = in.theirs.written(Part::fixed_loss_scale);
  Item* power = in.theirs.written(Part::loss_scale_power);
  const double factor = fixed ? number_of(*fixed).value_or(0) : 0;
  if (factor >= 1) {
    in.draft.set("precision.scaler.init", number_as_yaml(*fixed))
        .of(fixed)
        .noted("fixed there; here it grows, and falls at an overflow");
  } else if (power && number_of(*power).value_or(-1) >= 0) {
    in.draft.set("precision.scaler.init", fmt::format("{:.0f}", std::exp2(*number_of(*power))))
        .of(power)
        .noted("2 to its power");
  }
  Item* interval = in.theirs.find(Part::loss_scale_interval);
  if (interval && number_of(*interval).value_or(0) >= 1)
    in.draft.set("precision.scaler.interval", number_as_yaml(*interval)).of(interval);
}

}  // namespace

void translate_precision(Translation& in) {
  Item* name = in.theirs.find(Part::precision);
  Item* weights = in.theirs.find(Part::weight_dtype);
  if (name) {
    named(in, name);
  } else if (weights) {
    named(in, weights, "weights too, there; here they stay in fp32");
  } else {
    by_switches(in);
  }
  const auto compute =
      std::find_if(in.draft.settings().begin(), in.draft.settings().end(),
                   [](const Setting& setting) { return setting.path == "precision.compute"; });
  if (compute != in.draft.settings().end() && compute->value == "fp16") scaler(in);
  for (const Part part :
       {Part::fixed_loss_scale, Part::loss_scale_power, Part::loss_scale_interval})
    in.theirs.set_idle(part, "only fp16 has a factor on the loss");
  for (const Part part : {Part::bf16, Part::fp16, Part::tf32})
    in.theirs.set_idle(part, "another of their keys says precision.compute");
}

}  // namespace knead::peers
