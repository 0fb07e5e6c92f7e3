#include "runner/engine/generate/next_scores.h"

#include <algorithm>

#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/batch/model_output.h"
#include "runner/engine/device/autocast.h"
#include "runner/engine/device/device.h"
#include "runner/engine/job/feed_fields.h"
#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

/// Returns the scores of the place behind the last token, or throws knead::Error.
at::Tensor last_of(const at::Tensor& output, std::int64_t length) {
  const auto sizes = output.sizes();
  if (sizes.size() == 3 && sizes[0] == 1 && sizes[1] == length) return output[0][length - 1];
  if (sizes.size() == 2 && sizes[0] == 1) return output[0];
  throw Error(fmt::format("the model's output for 1 × {} tokens has the shape {}: it has no score "
                          "for each token of a vocabulary",
                          length, shape_words(sizes)),
              "text is written by a language model, from tokens (B, T) to scores (B, T, "
              "vocabulary); where forward returns more, model.output chooses");
}

}  // namespace

NextScores::NextScores(model::Model& model, const recipe::Recipe& recipe, std::int64_t context)
    : model_(model),
      recipe_(recipe),
      context_(context),
      fields_(choose_fields(recipe, model,
                            {{"tokens", data::Dtype::int64, {context}},
                             {"targets", data::Dtype::int64, {context}}})) {
  if (std::find(fields_.inputs.begin(), fields_.inputs.end(), 1) != fields_.inputs.end())
    throw Error("the model takes the targets too, and generated text has none",
                "give it tokens alone: model.inputs: [tokens]");
  model_.train(false);
}

std::vector<float> NextScores::after(std::span<const std::uint32_t> tokens) {
  const c10::NoGradGuard no_gradients;
  const auto length = std::min(static_cast<std::int64_t>(tokens.size()), context_);
  at::Tensor window = at::empty({1, length}, at::kLong);
  const auto seen = tokens.last(static_cast<std::size_t>(length));
  std::copy(seen.begin(), seen.end(), window.mutable_data_ptr<std::int64_t>());
  std::vector<c10::IValue> inputs = fields_.fallbacks;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (fields_.inputs[i]) inputs[i] = device().is_cpu() ? window : window.to(device());
  const Autocast in(recipe_.precision);
  const c10::IValue returned = model_.forward(std::move(inputs));
  const at::Tensor output = Output(returned, recipe_.model.output, model_.returns_at()).tensor();
  const at::Tensor scores = last_of(output, length).to(at::kCPU, at::kFloat).contiguous();
  const float* const first = scores.const_data_ptr<float>();
  return {first, first + scores.numel()};
}

}  // namespace knead::engine
