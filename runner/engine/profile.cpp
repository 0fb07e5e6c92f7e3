#include "runner/engine/profile.h"

#include <utility>

#include <fmt/format.h>

#include "runner/engine/start.h"
#include "runner/files/file.h"
#include "runner/files/folders.h"
#include "runner/track/time_table.h"
#include "schema/error.h"

namespace knead::engine {
namespace {

using track::Timeline;

/// The run goes on without its profile.
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

Profile::Profile(const Job& job, const TensorMemory* memory, files::FileSystem& disk,
                 const std::filesystem::path& run_folder, track::Console& console)
    : job_(job), memory_(memory), disk_(disk), folder_(run_folder / "profile"), console_(console) {}

void Profile::begin_step(std::uint64_t number) {
  const auto& wanted = job_.recipe.profile;
  any_step_ = true;
  if (!wanted || is_done_) return;
  const auto last = static_cast<std::uint64_t>(wanted->steps[1]);
  if (recording_ && (number > last || recording_->timeline().is_full())) return finish();
  if (number < static_cast<std::uint64_t>(wanted->steps[0]) || number > last) return;
  if (recording_) {
    recording_->timeline().end(step_, Recording::now());
  } else {
    first_ = number;
    recording_ =
        std::make_unique<Recording>(memory_ ? std::optional(memory_->now()) : std::nullopt);
  }
  last_ = number;
  step_ = recording_->timeline().begin(Timeline::Kind::step, fmt::format("step {}", number),
                                       Recording::now());
}

void Profile::end_run() {
  const auto& wanted = job_.recipe.profile;
  if (!wanted || is_done_ || !any_step_) return;
  if (recording_) return finish();
  console_.note(fmt::format("no profile: steps {} to {} are none of this start of the run",
                            wanted->steps[0], wanted->steps[1]));
}

void Profile::finish() {
  is_done_ = true;
  Timeline timeline = std::move(recording_->timeline());
  recording_.reset();
  timeline.end(step_, Recording::now());
  console_.note(fmt::format("profile of steps {} to {}", first_, last_));
  for (const std::string& line : track::time_table(timeline, memory_ != nullptr))
    console_.note(line);
  if (timeline.is_full()) console_.note("it ends early: no viewer shows longer traces");
  const nlohmann::json about = {{"run", job_.recipe.name},
                                {"steps", {first_, last_}},
                                {"threads", job_.recipe.threads.value()},
                                {"torch", torch_version()},
                                {"cpu", cpu_capability()}};
  write(disk_, folder_ / fmt::format("steps-{}-{}.json", first_, last_), timeline.trace(about),
        console_);
}

Profile::Part::Part(Profile& profile, const char* name) : recording_(profile.recording_.get()) {
  if (recording_)
    span_ = recording_->timeline().begin(Timeline::Kind::part, name, Recording::now());
}

Profile::Part::~Part() {
  if (recording_) recording_->timeline().end(span_, Recording::now());
}

std::unique_ptr<TensorMemory> memory_of_profile(const recipe::Recipe& recipe) {
  const bool is_wanted = recipe.profile && recipe.profile->memory;
  return is_wanted ? std::make_unique<TensorMemory>() : nullptr;
}

}  // namespace knead::engine
