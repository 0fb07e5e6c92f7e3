#include <fmt/format.h>

#include "runner/peers/translate.h"

namespace knead::peers {
namespace {

/// The modules for activation checkpointing stay open, because only the user can name them.
void recompute(Translation& in) {
  std::vector<Item*> wanted = in.theirs.all(Part::recompute);
  std::erase_if(wanted, [](const Item* item) { return item->is_off(); });
  if (wanted.empty()) return;
  Setting& line = in.draft.leave_open(
      "activation_checkpointing",
      "modules to compute again, such as [\"blocks.*\"]; without the line all is kept");
  for (Item* item : wanted) line.of(item);
}

/// Returns the number of steps before a profile begins.
double steps_before(Translation& in) {
  double steps = 0;
  for (const Item* item : in.theirs.all(Part::profile_after)) steps += number_of(*item).value_or(0);
  return steps;
}

void profile(Translation& in) {
  Item* steps = in.theirs.written(Part::profile_steps);
  Item* enabled = in.theirs.find(Part::profile_enabled);
  const double count = steps ? number_of(*steps).value_or(0) : 0;
  const bool is_wanted = enabled ? truth_of(*enabled) == true : count >= 1;
  if (is_wanted && count >= 1) {
    const double before = steps_before(in);
    Setting& line =
        // PyTorch's profiler is told how many steps it skips and records; knead is told the first
        // and the last recorded step, counted from 1.
        in.draft.set("profile.steps", fmt::format("[{:.0f}, {:.0f}]", before + 1, before + count));
    if (enabled) line.of(enabled);
    for (Item* item : in.theirs.all(Part::profile_after)) line.of(item);
    line.of(steps);
  } else if (is_wanted) {
    in.draft.leave_open("profile.steps", "the first step and the last, such as [10, 15]")
        .of(enabled);
  }
  if (enabled && !is_wanted) return;
  const std::string reason = is_wanted ? "profile.steps says it" : "nothing is profiled";
  for (const Part part : {Part::profile_enabled, Part::profile_after, Part::profile_steps})
    in.theirs.set_idle(part, reason);
}

}  // namespace

void translate_memory(Translation& in) {
  recompute(in);
  profile(in);
}

}  // namespace knead::peers
