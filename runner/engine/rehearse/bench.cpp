#include "runner/engine/rehearse/bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "runner/engine/device/device.h"
#include "runner/engine/step/update.h"
#include "runner/engine/tensor/tensor_memory.h"
#include "runner/plan/loss_scale.h"
#include "runner/trace/watch.h"

namespace knead::engine {
namespace {

// A median needs at least 20 steps, however slow they are; 2,000 are enough if a step takes
// microseconds.
constexpr std::uint64_t kLeast = 20;   // counted steps
constexpr std::uint64_t kMost = 2000;  // counted steps
constexpr std::uint64_t kWarmUp = 5;   // steps before them
constexpr int kReductions = 9;         // sums of gradients alone

using Clock = std::chrono::steady_clock;

/// Returns the seconds that a thread spent in the spans of one name.
double seconds_in(const trace::Timeline& timeline, std::string_view name) {
  trace::Nanoseconds sum = 0;
  for (const trace::Timeline::Span& span : timeline.spans()) {
    if (*span.name == name) sum += span.end - span.begin;
  }
  return static_cast<double>(sum) * 1e-9;
}

/// Makes the updates of a run and splits the time of each by its spans.
class TimedUpdates {
 public:
  TimedUpdates(Job& job, const track::Warn& warn)
      : job_(job),
        updates_(job, progress_,
                 {.end = std::numeric_limits<std::uint64_t>::max(), .warn = warn, .meets = true}) {
    job.trained.model->train(true);
  }

  StepTime make() {
    const std::uint64_t samples_before = progress_.samples;
    trace::start_watching();
    updates_.make(job_.course.schedule.factor(std::min(progress_.step, last_step())));
    const Clock::time_point now = Clock::now();
    const std::vector<trace::Thread> threads = trace::stop_watching();
    const trace::Timeline& here = threads.front().timeline;
    StepTime time;
    time.data = seconds_in(here, "data");
    time.forward = seconds_in(here, "forward");
    time.backward = seconds_in(here, "backward");
    time.wait = seconds_in(here, "waits for ranks");
    time.reduce = seconds_in(here, "reduce");
    // Measured from the end of the last step: on a GPU a step also waits for the work that the last
    // one has queued.
    time.whole = std::chrono::duration<double>(now - end_of_last_).count();
    time.step = time.whole - time.data - time.forward - time.backward - time.wait - time.reduce;
    time.samples = progress_.samples - samples_before;
    end_of_last_ = now;
    return time;
  }

  /// Waits until all queued updates are done, and restarts the clock.
  void finish() {
    updates_.settle();
    wait_for_device();
    end_of_last_ = Clock::now();
  }

  /// Measures the sums of gradients alone. No update may follow.
  void measure_reduction(Bench& bench) {
    parallel::Reduction* const gradients = updates_.gradients();
    if (!gradients) return;
    std::vector<double> seconds(kReductions);
    for (double& each : seconds) each = gradients->seconds_alone();
    std::sort(seconds.begin(), seconds.end());
    bench.reduce_alone = seconds[kReductions / 2];
    bench.reduced = gradients->bytes();
  }

 private:
  /// Returns the last step for which the schedule is defined: a benchmark may be longer than the
  /// run of the recipe.
  std::uint64_t last_step() const {
    return job_.course.steps ? *job_.course.steps - 1 : progress_.step;
  }

  Job& job_;
  run::Progress progress_{.loss_scale = plan::first_loss_scale(job_.recipe.precision)};
  Updates updates_;
  Clock::time_point end_of_last_ = Clock::now();
};

/// Returns how many steps to make after the first ones, by the clock of rank 0.
std::uint64_t further_steps(const Bench& bench, double seconds, parallel::Group& group) {
  double spent = 0;
  for (const StepTime& step : bench.steps) spent += step.whole;
  const auto first = static_cast<double>(kLeast);
  const double steps = std::clamp(seconds / spent * first, first, static_cast<double>(kMost));
  return static_cast<std::uint64_t>(group.of_first(std::floor(steps - first)));
}

}  // namespace

Bench bench(Job& job, double seconds, const track::Warn& warn) {
  Bench bench;
  bench.first = kWarmUp;
  // Counting memory takes time, so it is done in the warm-up only.
  std::optional<TensorMemory> memory(std::in_place);
  TimedUpdates updates(job, warn);
  for (std::uint64_t i = 0; i < kWarmUp; ++i) updates.make();
  // On a GPU the last warm-up step is still running: its time and memory must not count to the
  // first counted one.
  updates.finish();
  bench.memory = memory->peak();
  memory.reset();
  for (std::uint64_t i = 0; i < kLeast; ++i) bench.steps.push_back(updates.make());
  const std::uint64_t more = further_steps(bench, seconds, *job.group);
  updates.finish();
  for (std::uint64_t i = 0; i < more; ++i) bench.steps.push_back(updates.make());
  updates.measure_reduction(bench);
  return bench;
}

std::optional<double> hidden_share(const Bench& bench) {
  if (bench.reduce_alone == 0) return std::nullopt;
  std::vector<double> seconds;  // that were not hidden
  for (const StepTime& step : bench.steps) seconds.push_back(step.reduce);
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  if (median > bench.reduce_alone) return std::nullopt;
  return 1 - median / bench.reduce_alone;
}

}  // namespace knead::engine
