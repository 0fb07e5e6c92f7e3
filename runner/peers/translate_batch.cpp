#include <fmt/format.h>

#include "runner/peers/translate.h"

namespace knead::peers {
namespace {

/// Returns the samples of one process in one step, and adds the keys that give them to a line.
/// Returns std::nullopt if the keys do not tell.
std::optional<double> samples_of_process(Translation& in, Setting& line) {
  if (Item* whole = in.theirs.find(Part::global_batch);
      whole && number_of(*whole).value_or(0) >= 1) {
    line.of(whole);
    in.theirs.set_idle(Part::accumulation, fmt::format("{} has them all", whole->path));
    return *number_of(*whole) / number_of_processes(in);
  }
  Item* at_once = in.theirs.find(Part::rank_batch);
  Item* times = in.theirs.find(Part::accumulation);
  Item* together = in.theirs.find(Part::batch);
  const double accumulation = times ? number_of(*times).value_or(0) : 1;
  if (!times && together && number_of(*together).value_or(0) >= 1) {
    line.of(together);
    return number_of(*together);
  }
  line.of(at_once).of(times);
  const std::optional<double> rows = at_once ? number_of(*at_once) : std::nullopt;
  if (!rows || *rows < 1 || accumulation < 1) return std::nullopt;
  return *rows * accumulation;
}

}  // namespace

void translate_batch(Translation& in) {
  const double processes = number_of_processes(in);
  Setting& size = in.draft.set("batch.size", "");
  size.joint = " × ";
  const std::optional<double> of_process = samples_of_process(in, size);
  Item* written = in.theirs.written(Part::processes);
  // A number above 1 stands at distributed.ranks.
  if (written && written->fate == Fate::open && !written->is_off()) size.of(written);
  in.theirs.set_idle(Part::batch, "gradient_accumulation_steps says it");
  if (!of_process) {
    size.noted("FILL IN: samples in one optimizer step, of all processes together");
    return;
  }
  size.value = fmt::format("{:.0f}", *of_process * processes);
  if (in.theirs.find(Part::global_batch)) {
    size.noted("of all processes together");
  } else if (processes > 1) {
    size.noted(fmt::format("of each of {:.0f} processes", processes));
  } else if (!written && in.processes == 0) {
    size.noted("of one process: --processes=N if there were more");
  }
  const double at_once = in.theirs.number(Part::rank_batch).value_or(0);
  if (at_once >= 1 && at_once < *of_process * processes) {
    Setting& micro = in.draft.set("batch.micro", fmt::format("{:.0f}", at_once));
    if (in.theirs.find(Part::rank_batch)->fate == Fate::open)
      micro.of(in.theirs.find(Part::rank_batch));
    micro.noted("at once, as there");
  }
  in.theirs.set_idle(Part::rank_batch, "batch.size is no more than it");
}

}  // namespace knead::peers
