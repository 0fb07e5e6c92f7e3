#pragma once

#include <cstdint>
#include <optional>

#include "recipe.h"
#include "runner/engine/tensor/named_tensor.h"
#include "runner/plan/due.h"

namespace knead::engine::optimize {

/// A second set of weights that follows those in training, with the numerics of
/// torch.optim.swa_utils: the first time it is a copy. What is no floating-point number is not
/// averaged, nor are buffers.
class Average {
 public:
  /// `steps`: of the whole run; nothing where its length is a time. Throws knead::Error where a
  /// length cannot be told in steps.
  Average(const recipe::Average& average, const NamedTensors& parameters,
          const plan::Windows& windows, std::optional<std::uint64_t> steps);

  /// Takes in the weights as they are after so many steps, if it is time to.
  void follow(std::uint64_t step);

  /// How often weights were taken in.
  std::uint64_t count() const { return count_; }

  /// The averaged weights by the names of the parameters; none before there are any.
  NamedTensors state() const;

  /// The live weights that are averaged, in the order of state().
  const std::vector<at::Tensor>& live() const { return live_; }

  /// Copies what state() and count() returned in another run. Throws knead::Error where the weights
  /// are not those of this model.
  void restore(const NamedTensors& saved, std::uint64_t count);

 private:
  void move();

  NamedTensors parameters_;
  std::vector<at::Tensor> live_,
      averages_;                 // of the parameters; averages are empty until count_ > 0
  std::optional<double> decay_;  // nothing: each counts the same
  plan::Cadence cadence_;
  double start_ = 0;  // in steps
  std::uint64_t count_ = 0;
};

/// While it lives, the averaged weights stand in the place of the plain ones, if there are any.
class AveragedWeights {
 public:
  /// `average`: null where the recipe has none.
  explicit AveragedWeights(const Average* average);
  ~AveragedWeights();
  AveragedWeights(const AveragedWeights&) = delete;
  AveragedWeights& operator=(const AveragedWeights&) = delete;

 private:
  std::vector<at::Tensor> places_, plain_;  // the live tensors, and what stood there
};

}  // namespace knead::engine::optimize
