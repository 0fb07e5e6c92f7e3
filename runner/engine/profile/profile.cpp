#include "runner/engine/profile/profile.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "runner/engine/device/device.h"
#include "runner/engine/device/start.h"
#include "runner/files/file.h"
#include "runner/files/folders.h"
#include "runner/track/time_table.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

/// Publishes the trace and prints its path. A failure is only a warning, because a run must not end
/// for its profile.
void write(files::FileSystem& disk, const std::filesystem::path& path,
           const files::Content& content, track::Console& console) {
  try {
    files::make_folders(disk, path.parent_path());
    files::publish(disk, path, content);
    console.note("trace: " + path.string());
  } catch (const Error& error) {
    console.warn(fmt::format("{}; the run goes on without its trace", error.what()));
  }
}

}  // namespace

Profile::Profile(const recipe::Recipe& recipe, const TensorMemory* memory, files::FileSystem& disk,
                 const std::filesystem::path& run_folder, track::Console& console,
                 parallel::Group& group)
    : recipe_(recipe),
      memory_(memory),
      disk_(disk),
      folder_(run_folder / "profile"),
      console_(console),
      group_(group) {}

void Profile::begin_step(std::uint64_t number) {
  const auto& wanted = recipe_.profile;
  any_step_ = true;
  if (!wanted || is_done_) return;
  const auto from = static_cast<std::uint64_t>(wanted->steps[0]);
  const auto last = static_cast<std::uint64_t>(wanted->steps[1]);
  // Only here and not after the step: an evaluation or a save after a wanted step belongs to it.
  if (recording_ && (number > last || is_full())) return finish();
  if (number > last) return;
  if (number + 1 >= from) make_ready();  // one step ahead: see Kernels()
  if (number < from) return;
  step_.reset();
  if (!recording_) {
    first_ = number;
    recording_ = std::make_unique<Recording>(memory_ ? std::optional(memory_->now()) : std::nullopt,
                                             std::move(kernels_));
  }
  last_ = number;
  step_.emplace(trace::Kind::step, "step", number);
}

void Profile::make_ready() {
  if (device().is_cuda() && !kernels_ && !recording_) kernels_ = std::make_unique<Kernels>();
}

void Profile::end_run() {
  const auto& wanted = recipe_.profile;
  if (!wanted || is_done_ || !any_step_) return;
  if (recording_) return finish();
  console_.note(fmt::format("no profile: steps {} to {} are none of this start of the run",
                            wanted->steps[0], wanted->steps[1]));
}

void Profile::finish() {
  is_done_ = true;
  step_.reset();
  const bool ends_early = is_full();
  const trace::Recorded recorded = recording_->stop();
  const std::string why_no_kernels = recording_->why_no_kernels();
  recording_.reset();
  track::TracedRank rank{.rank = group_.rank(), .ranks = group_.ranks()};
  auto others = gather_events(recorded, rank);
  if (!group_.is_first()) return;
  console_.note(fmt::format("profile of steps {} to {}{}", first_, last_,
                            group_.is_alone() ? "" : ", of rank 0; the trace has all ranks"));
  for (const std::string& line : track::time_table(recorded, memory_ != nullptr))
    console_.note(line);
  if (ends_early) console_.note("it ends early: no viewer shows longer traces");
  if (!why_no_kernels.empty()) console_.note("the GPU's kernels are not in it: " + why_no_kernels);
  const nlohmann::json about = {{"run", recipe_.name},
                                {"steps", {first_, last_}},
                                {"threads", recipe_.threads.value()},
                                {"torch", torch_version()},
                                {"cpu", cpu_capability()}};
  write(disk_, folder_ / fmt::format("steps-{}-{}.json", first_, last_),
        track::trace_file(recorded, about, rank, std::move(others)), console_);
}

bool Profile::is_full() { return group_.any(recording_->is_full()); }

std::vector<std::string> Profile::gather_events(const trace::Recorded& recorded,
                                                track::TracedRank& rank) {
  // Clocks of several machines differ: those of the moment when all ranks have met are the same.
  trace::Nanoseconds behind = 0;  // how far the clock of rank 0 is behind
  if (!group_.shares_memory() && !group_.is_alone()) {
    group_.any(false);
    const trace::Nanoseconds met = trace::now();
    behind = met - std::stoll(group_.of_first(std::to_string(met)));
  }
  rank.first = std::numeric_limits<trace::Nanoseconds>::max();
  for (const std::string& text : group_.gather(std::to_string(track::first_of(recorded) - behind)))
    rank.first = std::min<trace::Nanoseconds>(rank.first, std::stoll(text));
  rank.first += behind;
  auto events = group_.gather(group_.is_first() ? "" : track::trace_events(recorded, rank));
  events.erase(events.begin());
  return events;
}

std::unique_ptr<TensorMemory> memory_of_profile(const recipe::Recipe& recipe) {
  const bool is_wanted = recipe.profile && recipe.profile->memory;
  return is_wanted ? std::make_unique<TensorMemory>() : nullptr;
}

}  // namespace knead::engine
