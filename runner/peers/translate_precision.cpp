#include <algorithm>

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
  for (const Part part : {Part::bf16, Part::fp16, Part::tf32})
    in.theirs.set_idle(part, "another of their keys says precision.compute");
}

}  // namespace knead::peers
