#pragma once

#include <cstdint>
#include <optional>

#include "recipe/average.h"
#include "runner/engine/tensor/named_tensor.h"
#include "runner/plan/due.h"

namespace knead::engine::optimize {

/// Averages the weights in training, with the numerics of torch.optim.swa_utils; the first average
/// is a copy. Buffers and parameters of other than floating-point types are not averaged. Doubles
/// the memory of the weights from the first average on. The training loop calls follow() after each
/// update; AveragedWeights lends the averages to the model for an evaluation. Not thread-safe.
class Average {
 public:
  /// Remembers the tensors of `parameters`, which share their memory. `steps`: the length of the
  /// run, or std::nullopt if that is a time. Throws knead::Error if the options `start` or `every`
  /// cannot be converted to steps.
  Average(const recipe::Average& average, const NamedTensors& parameters,
          const plan::Windows& windows, std::optional<std::uint64_t> steps);

  /// Adds the weights to the average if that is due after `step` steps; otherwise does nothing.
  /// Call it once for each step.
  void follow(std::uint64_t step);

  /// Returns how many times weights were added; 0 before the step `start`.
  std::uint64_t count() const { return count_; }

  /// Returns the live averages under the names of their parameters; empty while count() is 0. The
  /// next follow() changes them.
  NamedTensors state() const;

  /// Returns the live weights that are averaged, in the order of state().
  const std::vector<at::Tensor>& live() const { return live_; }

  /// Copies what state() and count() returned in another run. Throws knead::Error (exit code of a
  /// refused resume) if a name, shape or type differs from this model's, and changes nothing then.
  void restore(const NamedTensors& saved, std::uint64_t count);

 private:
  /// Moves the averages towards the live weights, as the next count requires.
  void move();

  NamedTensors parameters_;                  // those that are averaged
  std::vector<at::Tensor> live_, averages_;  // by parameter; averages_ is empty while count_ is 0
  std::optional<double> decay_;              // std::nullopt: all weights count the same
  plan::Cadence cadence_;
  double start_ = 0;  // in steps
  std::uint64_t count_ = 0;
};

/// Puts the averaged weights in the place of the live ones while it lives; the destructor restores
/// the live weights, bit for bit. Copies the numbers, so that all holders of the tensors see the
/// averages. Does nothing before the first average.
class AveragedWeights {
 public:
  /// Copies the averages into the model. `average`: null if the recipe has none; not used after the
  /// constructor.
  explicit AveragedWeights(const Average* average);
  ~AveragedWeights();
  AveragedWeights(const AveragedWeights&) = delete;
  AveragedWeights& operator=(const AveragedWeights&) = delete;

 private:
  std::vector<at::Tensor> places_, plain_;  // the live tensors, and copies of their values
};

}  // namespace knead::engine::optimize
