#include "runner/engine/predictions/judged.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <ATen/ops/max.h>
#include <ATen/ops/softmax.h>

#include "runner/engine/losses/classes.h"
#include "runner/engine/tensor/tensor_words.h"

namespace knead::engine {
namespace {

/// Says what a loss takes the numbers of an output for.
enum class Meaning { log_scores, log_probabilities, log_odds, values, other };

struct MeaningOf {
  Meaning operator()(const recipe::CrossEntropy&) const { return Meaning::log_scores; }
  Meaning operator()(const recipe::Nll&) const { return Meaning::log_probabilities; }
  Meaning operator()(const recipe::BceWithLogits&) const { return Meaning::log_odds; }
  Meaning operator()(const recipe::Mse&) const { return Meaning::values; }
  Meaning operator()(const recipe::L1&) const { return Meaning::values; }
  Meaning operator()(const recipe::SmoothL1&) const { return Meaning::values; }
  Meaning operator()(const recipe::Huber&) const { return Meaning::values; }
  template <class Other>
  Meaning operator()(const Other&) const {
    return Meaning::other;
  }
};

/// Returns numbers (N, …) as rows (N, numbers of a sample) in host memory.
at::Tensor rows_of(const at::Tensor& tensor) {
  return tensor.detach().to(at::kCPU, at::kDouble).reshape({tensor.size(0), -1}).contiguous();
}

/// Returns the samples [i, i + 1).
Samples one_of(const Samples& samples, std::int64_t i) {
  Samples one{.count = 1, .names = samples.names, .tensors = {}, .copies = {}};
  for (const at::Tensor& each : samples.tensors) one.tensors.push_back(each.narrow(0, i, 1));
  for (const at::Tensor& each : samples.copies) one.copies.push_back(each.narrow(0, i, 1));
  return one;
}

/// Sets the predicted class of scores and its probability.
void predict_class(const double* scores, std::int64_t classes, bool are_probabilities,
                   JudgedSample& sample) {
  const double* const best = std::max_element(scores, scores + classes);
  double sum = 0;
  for (std::int64_t c = 0; c < classes; ++c) sum += std::exp(scores[c] - *best);
  sample.predicted = static_cast<double>(best - scores);
  // As float32, so that sums of it are exact.
  const double confidence = are_probabilities ? std::exp(*best) : 1 / sum;
  sample.confidence = static_cast<float>(std::isfinite(confidence) ? confidence : 0);
}

/// Reads the items of samples that have several targets each, such as the tokens of a text.
class ItemReading {
 public:
  /// Throws UnfitOutput if the shapes do not fit.
  template <class Loss>
  ItemReading(const at::Tensor& output, const at::Tensor& classes, const Loss& loss)
      : output_(output.detach()),
        classes_(classes),
        ignored_(loss.ignore_index),
        dim_(losses::find_class_dim(output, classes, losses::class_dim_of(loss.class_dim),
                                    "evaluate.samples", loss.target)) {}

  /// Adds how sure the model was of each item of sample i that counts for the loss.
  void read(std::int64_t i, bool are_logarithms, PredictionTally& tally) const {
    const at::Tensor scores =
        losses::scores_of_items(output_.narrow(0, i, 1), dim_).to(at::kFloat);  // (items, C)
    const auto [likely, likeliest] =
        at::max(are_logarithms ? scores.exp() : at::softmax(scores, 1), 1);
    const at::Tensor confidences = likely.to(at::kCPU).contiguous();
    const at::Tensor predicted = likeliest.to(at::kCPU).contiguous();
    const at::Tensor is = classes_.narrow(0, i, 1).reshape({-1}).to(at::kCPU, at::kLong);
    for (std::int64_t item = 0; item < is.size(0); ++item) {
      const std::int64_t right = is.const_data_ptr<std::int64_t>()[item];
      if (right != ignored_)
        tally.add_item(confidences.const_data_ptr<float>()[item],
                       predicted.const_data_ptr<std::int64_t>()[item] == right);
    }
  }

 private:
  at::Tensor output_, classes_;
  std::int64_t ignored_;
  losses::ClassDim dim_;
};

/// Tells what is true and predicted for the samples of a batch.
class Reading {
 public:
  Reading(const at::Tensor& output, const Samples& samples, const recipe::Loss& loss)
      : meaning_(std::visit(MeaningOf(), loss)) {
    const std::string target = losses::target_of(loss);
    const at::Tensor is = target.empty() ? at::Tensor() : samples.at(target);
    if (!is.defined() || is.size(0) != output.size(0)) meaning_ = Meaning::other;
    if (meaning_ == Meaning::other) return;
    const bool has_classes =
        meaning_ == Meaning::log_scores || meaning_ == Meaning::log_probabilities;
    if (has_classes && output.dim() > 2 && losses::holds_classes(is)) {
      read_items_of(output, is, loss);
      return;
    }
    const std::int64_t numbers = output.numel() / output.size(0);
    if (has_classes ? output.dim() != 2 || is.dim() != 1 ||
                          !at::isIntegralType(is.scalar_type(), /*includeBool=*/true)
                    : is.numel() != output.numel())
      meaning_ = Meaning::other;
    if (meaning_ == Meaning::log_odds && numbers != 1) meaning_ = Meaning::other;
    if (meaning_ == Meaning::other) return;
    output_ = rows_of(output);
    target_ = rows_of(is);
  }

  /// Returns how many classes there are; 0 without classes.
  std::uint64_t classes() const {
    if (items_) return 0;
    if (meaning_ == Meaning::log_odds) return 2;
    const bool is_class = meaning_ == Meaning::log_scores || meaning_ == Meaning::log_probabilities;
    return is_class ? static_cast<std::uint64_t>(output_.size(1)) : 0;
  }

  /// Adds what is known of sample i of the batch.
  void read(std::int64_t i, JudgedSample& sample, PredictionTally& tally) const {
    if (meaning_ == Meaning::other) return;
    if (items_) return items_->read(i, meaning_ == Meaning::log_probabilities, tally);
    const std::int64_t width = output_.size(1);
    const double* const scores = output_.const_data_ptr<double>() + i * width;
    const double* const is = target_.const_data_ptr<double>() + i * target_.size(1);
    if (meaning_ == Meaning::values) {
      for (std::int64_t n = 0; n < width; ++n)
        tally.add_point(
            sample.sample * static_cast<std::uint64_t>(width) + static_cast<std::uint64_t>(n),
            is[n], scores[n]);
      if (width != 1) return;
      sample.target = is[0];
      sample.predicted = scores[0];
    } else if (meaning_ == Meaning::log_odds) {
      const double likely = 1 / (1 + std::exp(-std::abs(scores[0])));
      sample.target = is[0] >= 0.5 ? 1 : 0;
      sample.predicted = scores[0] > 0 ? 1 : 0;
      sample.confidence = static_cast<float>(std::isfinite(likely) ? likely : 0);
    } else {
      sample.target = is[0];
      predict_class(scores, width, meaning_ == Meaning::log_probabilities, sample);
    }
  }

 private:
  void read_items_of(const at::Tensor& output, const at::Tensor& is, const recipe::Loss& loss) {
    if (const auto* scores = std::get_if<recipe::CrossEntropy>(&loss))
      items_.emplace(output, is, *scores);
    if (const auto* logarithms = std::get_if<recipe::Nll>(&loss))
      items_.emplace(output, is, *logarithms);
  }

  Meaning meaning_;
  std::optional<ItemReading> items_;  // of samples with several targets each
  at::Tensor output_, target_;        // (N, numbers of a sample), float64
};

}  // namespace

void judge(const Output& seen, const Samples& samples, std::uint64_t first,
           const JudgingLoss& judging, PredictionTally& tally) {
  const at::Tensor output = seen.tensor();
  if (output.dim() == 0 || output.size(0) != samples.count)
    throw UnfitOutput(
        fmt::format("evaluate.samples needs an output for each of {} samples, and it has the "
                    "shape {}",
                    samples.count, shape_words(output.sizes())),
        "leave evaluate.samples out");
  const Reading reading(output, samples, judging.recipe);
  const OutputKey whole;
  for (std::int64_t i = 0; i < samples.count; ++i) {
    const c10::IValue row(output.narrow(0, i, 1));
    const losses::Part part = judging.loss.of(Output(row, whole), one_of(samples, i));
    if (part.weight == 0) continue;
    JudgedSample sample{.sample = first + static_cast<std::uint64_t>(i),
                        .loss = part.sum.item<double>() / part.weight};
    reading.read(i, sample, tally);
    tally.add(sample, reading.classes());
  }
}

}  // namespace knead::engine
