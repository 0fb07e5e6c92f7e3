#include "runner/engine/verbs/outputs.h"

#include <cstring>

#include <ATen/ops/cat.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/engine/batch/model_inputs.h"
#include "runner/engine/batch/model_output.h"
#include "runner/engine/device/autocast.h"
#include "runner/engine/device/device.h"
#include "runner/engine/job/feed_fields.h"
#include "runner/engine/tensor/tensor_bytes.h"
#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

void expect_a_row_for_each(const at::Tensor& output, std::int64_t samples) {
  if (output.dim() > 0 && output.size(0) == samples) return;
  throw Error(fmt::format("the model's output for {} samples has the shape {}: it predicts nothing "
                          "for each of them",
                          samples, shape_words(output.sizes())),
              "predict needs an output whose first dimension counts samples; where forward returns "
              "more, model.output chooses");
}

/// Returns the output of the model for the next batch, in host memory.
at::Tensor output_of_next(const Predicting& predicting, Feed& feed) {
  MicroBatch part = feed.part(0, feed.next().window.size);
  const Autocast in(predicting.recipe.precision);
  const c10::IValue returned = predicting.model.forward(std::move(part.inputs));
  const at::Tensor output = Output(returned, predicting.recipe.model.output).tensor();
  expect_a_row_for_each(output, part.samples.count);
  // A copy, because an output may be a view of the inputs, which the next batch overwrites.
  return device().is_cpu() ? output.clone() : output.cpu();
}

/// Returns a tensor as text for another rank: a line of JSON with dtype and shape, then its bytes.
/// Empty for an undefined tensor.
std::string to_text(const at::Tensor& output) {
  if (!output.defined()) return "";
  const files::TensorBytes bytes = copy_bytes({"output", output}, "", nullptr);
  std::string text = nlohmann::json{bytes.dtype, bytes.shape}.dump() + "\n";
  text.append(reinterpret_cast<const char*>(bytes.bytes.data()), bytes.bytes.size());
  return text;
}

at::Tensor from_text(const std::string& text) {
  const std::size_t line = text.find('\n');
  const auto header = nlohmann::json::parse(text.substr(0, line));
  files::TensorBytes bytes{
      "output", header[0].get<std::string>(), header[1].get<std::vector<std::int64_t>>(), {}};
  bytes.bytes.resize(text.size() - line - 1);
  std::memcpy(bytes.bytes.data(), text.data() + line + 1, bytes.bytes.size());
  return to_tensor(bytes);
}

/// Adds the outputs of a batch of each rank to those of earlier ones, by rank; a rank that had none
/// passes an undefined tensor. Only rank 0 keeps them.
void keep(const at::Tensor& output, parallel::Group& group,
          std::vector<std::vector<at::Tensor>>& by_rank) {
  if (group.is_alone()) return by_rank[0].push_back(output);
  const std::vector<std::string> texts = group.gather(to_text(output));
  if (!group.is_first()) return;
  for (std::size_t rank = 0; rank < texts.size(); ++rank)
    if (!texts[rank].empty()) by_rank[rank].push_back(from_text(texts[rank]));
}

}  // namespace

at::Tensor outputs(const Predicting& predicting) {
  const auto& [recipe, model, set, group, shards] = predicting;
  const c10::NoGradGuard no_gradients;
  model.train(false);
  const auto seed = static_cast<std::uint64_t>(recipe.seed);
  const plan::Windows windows(set.size(), static_cast<std::uint64_t>(recipe.evaluate.batch.value()),
                              false);
  const std::uint64_t all = windows.steps_per_epoch();
  const plan::Share share{static_cast<std::uint64_t>(group.rank()),
                          static_cast<std::uint64_t>(group.ranks())};
  const plan::Window own = share.of({.epoch = 0, .first = 0, .size = all});
  Feed feed(set, choose_fields(recipe, model, set.fields()), windows,
            plan::EpochOrder(set.size(), seed, false), own.first, own.first + own.size,
            {recipe.data.workers, recipe.data.prefetch});
  std::vector<std::vector<at::Tensor>> by_rank(share.ranks);
  for (std::uint64_t i = 0; i < (all + share.ranks - 1) / share.ranks; ++i) {
    at::Tensor output;
    const auto predict = [&] { output = output_of_next(predicting, feed); };
    // In the last round some ranks have no batch, and gather parameters for the others.
    if (i >= all / share.ranks && shards) {
      shards->compute_or_follow(i < own.size, predict);
    } else if (i < own.size) {
      predict();
    }
    keep(output, group, by_rank);
  }
  if (shards) shards->end_pass();
  if (!group.is_first()) return {};
  std::vector<at::Tensor> parts;
  for (const std::vector<at::Tensor>& each : by_rank)
    parts.insert(parts.end(), each.begin(), each.end());
  return at::cat(parts);
}

}  // namespace knead::engine
