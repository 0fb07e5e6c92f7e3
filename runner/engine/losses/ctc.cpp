#include "runner/engine/losses/ctc.h"

#include <ATen/core/Reduction.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ctc_loss.h>
#include <ATen/ops/full.h>
#include <fmt/format.h>

#include "runner/engine/losses/classes.h"
#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/error.h"

namespace knead::engine::losses {
namespace {

class Ctc final : public Loss {
 public:
  explicit Ctc(const recipe::Ctc& options) : options_(options), fields_{options.target} {
    if (options.input_lengths) fields_.push_back(*options.input_lengths);
    if (options.target_lengths) fields_.push_back(*options.target_lengths);
  }

  const std::vector<std::string>& fields() const override { return fields_; }

  Part of(const Output& output, const Samples& samples) override {
    const at::Tensor scores = scores_in(output.tensor(), samples.count);
    const at::Tensor target = classes_in(samples);
    const at::Tensor steps = lengths(options_.input_lengths, samples, scores.size(0), "output");
    const at::Tensor sizes = lengths(options_.target_lengths, samples, target.size(1), "target");
    expect_all_in_range(counted(target, sizes), {scores.size(2), "the output"}, options_.target,
                        remedy_for_classes());
    const at::Tensor each =
        at::ctc_loss(scores, target.to(scores.device()), steps, sizes, options_.blank,
                     at::Reduction::None, options_.zero_infinity);
    // As torch's mean does, divides the loss of an empty target by 1.
    const at::Tensor sum = each.div(sizes.clamp_min(1).to(each.options())).sum();
    return {sum, static_cast<double>(samples.count)};
  }

 private:
  /// Returns the scores as (T, N, C). Throws UnfitOutput if the output has another shape.
  at::Tensor scores_in(const at::Tensor& output, std::int64_t samples) const {
    const std::int64_t batch = options_.batch_first ? 0 : 1;
    if (output.dim() == 3 && output.size(batch) == samples && output.size(2) > options_.blank)
      return options_.batch_first ? output.transpose(0, 1) : output;
    const bool other_fits = output.dim() == 3 && output.size(1 - batch) == samples;
    throw UnfitOutput(
        fmt::format("the output has the shape {} for {} samples: ctc needs {}, with more "
                    "classes than the blank, {}",
                    shape_words(output.sizes()), samples,
                    options_.batch_first ? "(N, T, C)" : "(T, N, C)", options_.blank),
        other_fits ? fmt::format("write batch_first: {} in loss", !options_.batch_first)
                   : "give the model log-probabilities for each step, as of log_softmax(-1)");
  }

  /// Returns the target as (N, S), int64, in host memory. Throws knead::Error if it does not hold
  /// classes.
  at::Tensor classes_in(const Samples& samples) const {
    const at::Tensor& target = samples.at(options_.target);
    if (!holds_classes(target) || target.dim() != 2)
      throw Error(fmt::format("the target '{}' is of {}, {}: ctc needs whole numbers, (N, S)",
                              options_.target, dtype_words(target.scalar_type()),
                              shape_words(target.sizes())),
                  "a sample's classes are one after another, filled up at the end to the longest");
    return target.to(at::kLong);
  }

  /// Returns the classes within the length of each target: behind it any number may stand. LibTorch
  /// reads out of bounds for a class that the scores do not have.
  static at::Tensor counted(const at::Tensor& target, const at::Tensor& sizes) {
    return target.masked_select(at::arange(target.size(1)).lt(sizes.unsqueeze(1)));
  }

  /// Without lengths all of a target counts, what fills it up too.
  std::string remedy_for_classes() const {
    std::string remedy = "check the data and the number of classes";
    if (!options_.target_lengths)
      remedy +=
          "; if shorter targets are filled up, name the field of their lengths in "
          "loss.target_lengths";
    return remedy;
  }

  /// Returns the length of each sample, (N): `most` unless a field gives the lengths. Throws
  /// knead::Error for a length outside [0, most].
  at::Tensor lengths(const std::optional<std::string>& field, const Samples& samples,
                     std::int64_t most, const char* of) const {
    if (!field) return at::full({samples.count}, most, at::kLong);
    const at::Tensor lengths = samples.at(*field).to(at::kLong).reshape(-1);
    if (lengths.numel() != samples.count)
      throw Error(fmt::format("the field '{}' has the shape {}: ctc needs one length for each "
                              "sample",
                              *field, shape_words(samples.at(*field).sizes())),
                  "leave out its shape");
    if (samples.count == 0) return lengths;
    const auto least = lengths.min().item<std::int64_t>();
    const auto longest = lengths.max().item<std::int64_t>();
    if (least < 0 || longest > most)
      throw Error(fmt::format("the field '{}' has the length {}, the {} has {}", *field,
                              least < 0 ? least : longest, of, most),
                  "check the data");
    return lengths;
  }

  recipe::Ctc options_;
  std::vector<std::string> fields_;
};

}  // namespace

std::unique_ptr<Loss> make_ctc(const recipe::Ctc& options) {
  return std::make_unique<Ctc>(options);
}

}  // namespace knead::engine::losses
