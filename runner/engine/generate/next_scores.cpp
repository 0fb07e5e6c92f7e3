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
  for (std::size_t i = 0; i < model.inputs().size(); ++i) {
    const model::Input& input = model.inputs()[i];
    const bool is_cache = input.name == "cache" && input.type == "Optional[List[Tensor]]";
    if (is_cache && !fields_.inputs[i] && fields_.fallbacks[i].isNone()) cache_parameter_ = i;
  }
}

void NextScores::forget() {
  cache_.reset();
  seen_.clear();
}

at::Tensor NextScores::unseen(std::span<const std::uint32_t> tokens) {
  const auto length = std::min(static_cast<std::int64_t>(tokens.size()), context_);
  auto given = tokens.last(static_cast<std::size_t>(length));
  const bool goes_on =
      tokens.size() > seen_.size() && std::equal(seen_.begin(), seen_.end(), tokens.begin());
  if (!goes_on || given.size() < tokens.size()) forget();
  if (cache_parameter_ && given.size() == tokens.size()) {
    if (!cache_) cache_.emplace();
    given = given.last(given.size() - seen_.size());
    seen_.assign(tokens.begin(), tokens.end());
  }
  at::Tensor part = at::empty({1, static_cast<std::int64_t>(given.size())}, at::kLong);
  std::copy(given.begin(), given.end(), part.mutable_data_ptr<std::int64_t>());
  return part;
}

std::vector<float> NextScores::after(std::span<const std::uint32_t> tokens) {
  const c10::NoGradGuard no_gradients;
  const at::Tensor part = unseen(tokens);
  std::vector<c10::IValue> inputs = fields_.fallbacks;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (fields_.inputs[i]) inputs[i] = device().is_cpu() ? part : part.to(device());
  if (cache_) inputs[*cache_parameter_] = *cache_;
  const Autocast in(recipe_.precision);
  const c10::IValue returned = model_.forward(std::move(inputs));
  const at::Tensor output = Output(returned, recipe_.model.output, model_.returns_at()).tensor();
  const at::Tensor scores = last_of(output, part.size(1)).to(at::kCPU, at::kFloat).contiguous();
  const float* const first = scores.const_data_ptr<float>();
  return {first, first + scores.numel()};
}

}  // namespace knead::engine
