#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runner/engine/losses/loss.h"
#include "tests/engine/recorded.h"
#include "tests/engine/refusal.h"

// What tests of losses share. Includes LibTorch: before Catch2.

namespace knead::engine::losses {

inline recipe::CrossEntropy cross_entropy() {
  return {.target = "digit",
          .ignore_index = -100,
          .label_smoothing = 0,
          .weight = std::nullopt,
          .class_dim = std::nullopt};
}

/// Fields of a batch, alive as long as the samples are.
struct Batch {
  std::vector<std::string> names;
  Samples samples;

  Batch(std::int64_t count, std::vector<std::pair<std::string, at::Tensor>> fields) {
    for (auto& [name, tensor] : fields) {
      names.push_back(name);
      samples.tensors.push_back(tensor);
    }
    samples.count = count;
    samples.names = &names;
  }
};

inline const std::vector<std::string> kFields{"digit", "price", "steps", "lengths"};
inline const OutputKey kWhole;

inline std::unique_ptr<Loss> made(const recipe::Loss& options) {
  return make_loss(options, kFields);
}

inline Part of(Loss& loss, const c10::IValue& output, const Batch& batch) {
  return loss.of({output, kWhole}, batch.samples);
}

inline at::Tensor classes(std::vector<double> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return tensor_of({{"dtype", "int64"}, {"shape", {count}}, {"values", values}});
}

struct Computed {
  at::Tensor sum, gradient;
  double weight;
};

inline Computed compute(Loss& loss, const at::Tensor& output, const at::Tensor& target) {
  const at::Tensor leaf = output.detach().clone().requires_grad_();
  const Batch batch(target.size(0), {{loss.fields()[0], target}});
  const Part part = of(loss, leaf, batch);
  part.sum.backward();
  return {part.sum.detach(), leaf.grad(), part.weight};
}

inline std::string refusal_of(const recipe::Loss& options, const at::Tensor& output,
                              const at::Tensor& target) {
  return refusal([&] {
    of(*made(options), output, Batch(target.size(0), {{made(options)->fields()[0], target}}));
  });
}

}  // namespace knead::engine::losses
