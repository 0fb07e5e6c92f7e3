#include "runner/engine/losses/script.h"

#include <fmt/format.h>

#include "runner/engine/losses/script_call.h"
#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/error.h"

namespace knead::engine::losses {
namespace {

/// Passes the sum and the weight of a function of the recipe on.
class ScriptLoss final : public Loss {
 public:
  ScriptLoss(const recipe::ScriptLoss& options, const std::vector<std::string>& fields)
      : call_(options.code, "loss", fields) {}

  const std::vector<std::string>& fields() const override { return call_.fields(); }

  Part of(const Output& output, const Samples& samples) override {
    auto [sum, weight] = call_.of(output, samples);
    return {std::move(sum), weight};
  }

 private:
  ScriptCall call_;
};

/// Takes the scalar that forward returns as the loss.
class FromModel final : public Loss {
 public:
  const std::vector<std::string>& fields() const override { return none_; }

  Part of(const Output& output, const Samples& samples) override {
    const at::Tensor mean = output.tensor();
    if (mean.numel() != 1)
      throw UnfitOutput(
          fmt::format("the output has the shape {}: loss from_model needs a scalar",
                      shape_words(mean.sizes())),
          "let forward return the mean over its samples, or choose it by model.output");
    // A mean counts once for each sample, so that micro-batches add up to the mean of the batch.
    const auto count = static_cast<double>(samples.count);
    return {mean.reshape({}).mul(count), count};
  }

 private:
  std::vector<std::string> none_;
};

}  // namespace

std::unique_ptr<Loss> make_script_loss(const recipe::ScriptLoss& options,
                                       const std::vector<std::string>& fields) {
  return std::make_unique<ScriptLoss>(options, fields);
}

std::unique_ptr<Loss> make_from_model() { return std::make_unique<FromModel>(); }

}  // namespace knead::engine::losses
