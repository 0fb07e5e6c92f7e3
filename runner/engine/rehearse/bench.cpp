#include "runner/engine/rehearse/bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "runner/engine/device/device.h"
#include "runner/engine/optimize/alone.h"
#include "runner/engine/optimize/clip.h"
#include "runner/engine/step/pass.h"
#include "runner/engine/tensor/tensor_memory.h"
#include "runner/plan/loss_scale.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

constexpr std::uint64_t kLeast = 20;
constexpr std::uint64_t kMost = 2000;
constexpr std::uint64_t kWarmUp = 5;

/// Seconds from one call to the next.
class StopWatch {
 public:
  double lap() {
    wait_for_device();
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// The loop, with a look at the clock between its parts.
class Loop {
 public:
  explicit Loop(Job& job)
      : job_(job),
        feed_(job.sets.train, job.fields, job.windows, job.sets.order, 0,
              std::numeric_limits<std::uint64_t>::max(), job.reading()),
        pass_(job),
        clip_(job.recipe.clip),
        numbers_(count_numbers(job.model->parameters())) {
    job.model->train(true);
  }

  StepTime step() {
    StepTime time;
    const auto begin = std::chrono::steady_clock::now();
    watch_.lap();
    const std::uint64_t samples = feed_.next().window.size;
    time.data = watch_.lap();
    const double weight = passes(samples, time);
    update(weight);
    pass_.clear_gradients();
    feed_.send_next();
    time.step = watch_.lap();
    time.whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    time.samples = samples;
    ++steps_;
    return time;
  }

 private:
  double passes(std::uint64_t samples, StepTime& time) {
    const auto micro = static_cast<std::uint64_t>(job_.recipe.batch.micro.value());
    double weight = 0;
    for (std::uint64_t begin = 0; begin < samples; begin += micro) {
      const std::uint64_t count = std::min(micro, samples - begin);
      const losses::Part loss = pass_.forward(feed_.part(begin, count));
      if (begin == 0) scale_ = plan::sum_scale(loss.weight, count, samples) * loss_scale_.value;
      weight += loss.weight;
      time.forward += watch_.lap();
      pass_.backward(loss.sum, scale_);
      time.backward += watch_.lap();
    }
    return weight;
  }

  void update(double weight) {
    const double factor = job_.schedule.factor(std::min(steps_, last_step()));
    const optimize::Measured gradients =
        clip_.measure(job_.model->parameters(), weight == 0 ? 0 : 1 / (weight * scale_));
    const recipe::Precision& precision = job_.recipe.precision;
    const bool is_absorbed = plan::absorbs_overflow(precision, loss_scale_);
    loss_scale_ = plan::next_loss_scale(precision, loss_scale_, gradients.finite);
    if (!gradients.finite && is_absorbed) return;
    if (!gradients.finite)
      throw Error("a gradient is not finite after " + std::to_string(steps_) + " steps",
                  "'knead run' says more about it", Exit::training_failed);
    const optimize::Alone alone(numbers_);
    if (weight != 0) job_.optimizer->step(factor, gradients.factor);
  }

  std::uint64_t last_step() const { return job_.steps ? *job_.steps - 1 : 0; }

  Job& job_;
  Feed feed_;
  Pass pass_;
  optimize::Clip clip_;
  std::int64_t numbers_;
  plan::LossScale loss_scale_ = plan::first_loss_scale(job_.recipe.precision);
  double scale_ = 1;  // of the sums that the step's backward begins at
  StopWatch watch_;
  std::uint64_t steps_ = 0;
};

}  // namespace

Bench bench(Job& job, double seconds) {
  Bench bench;
  bench.first = kWarmUp;
  std::optional<TensorMemory> memory(std::in_place);  // looking at it takes time: to begin with
  Loop loop(job);
  for (std::uint64_t i = 0; i < kWarmUp; ++i) loop.step();
  bench.memory = memory->peak();
  memory.reset();
  double spent = 0;
  while (bench.steps.size() < kMost && (bench.steps.size() < kLeast || spent < seconds)) {
    bench.steps.push_back(loop.step());
    spent += bench.steps.back().whole;
  }
  return bench;
}

}  // namespace knead::engine
