#include "tests/engine/model/compare_forward.h"

#include <algorithm>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>
#include <ATen/core/grad_mode.h>

#include "tests/engine/model/recorded_models.h"
#include "tests/engine/model/sources.h"
#include "tests/engine/processor_probe.h"

namespace knead::engine::model {
namespace {

using nlohmann::json;
using Named = std::vector<std::pair<std::string, at::Tensor>>;

std::string compare(const Named& named, const json& recorded, bool exact) {
  if (named.size() != recorded.size()) return "another number: " + std::to_string(named.size());
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto& [name, tensor] = named[i];
    if (name != recorded[i][0]) return name + ", not " + recorded[i][0].get<std::string>();
    if (!tensor.defined() && recorded[i][1].is_null()) continue;
    if (!tensor.defined()) return name + " is missing";
    const std::string found = difference(tensor, recorded[i][1], exact);
    if (!found.empty()) return name + ": " + found;
  }
  return "";
}

Named parameters_of(const Model& model) {
  Named named;
  for (const auto& [name, tensor] : model.parameters()) named.emplace_back(name, tensor);
  return named;
}

Named gradients_of(const Model& model) {
  Named named;
  for (const auto& [name, tensor] : model.parameters()) named.emplace_back(name, tensor.grad());
  return named;
}

// A tensor that is an attribute counts with knead as a buffer that is not saved, not with PyTorch.
Named buffers_of(const Model& model, const json& recorded) {
  Named named;
  for (const Buffer& buffer : model.buffers()) {
    const bool is_known = std::any_of(recorded.begin(), recorded.end(),
                                      [&](const json& item) { return item[0] == buffer.name; });
    if (buffer.persistent || is_known) named.emplace_back(buffer.name, buffer.tensor);
  }
  return named;
}

void seed(std::uint64_t number) {
  auto generator = at::detail::getDefaultCPUGenerator();
  generator.set_current_seed(number);
}

void backward(const c10::IValue& output) {
  at::Tensor loss;
  for (const at::Tensor& tensor : tensors_in(output)) {
    if (!tensor.requires_grad()) continue;
    const at::Tensor part = tensor.to(c10::kDouble).pow(2).sum();
    loss = loss.defined() ? loss.add(part) : part;
  }
  if (loss.defined()) loss.backward();
}

}  // namespace

std::unique_ptr<Model> build_recorded(const std::filesystem::path& source, const json& recorded,
                                      Build build) {
  Request request;
  request.source = source;
  request.class_name = recorded.value("class", "Model");
  if (recorded.contains("args")) request.args = tests::arguments(recorded["args"].dump());
  return build(request);
}

std::string forward_difference(const std::function<std::unique_ptr<Model>()>& make,
                               const json& recorded) {
  const bool exact = computes_alike(recorded["processor"]);
  const auto inputs = [&] {
    std::vector<c10::IValue> values;
    for (const json& input : recorded["inputs"]) values.push_back(to_value(input));
    return values;
  };
  std::string found;
  const auto differs = [&](const std::string& what, const std::string& difference) {
    if (!difference.empty() && found.empty()) found = what + ": " + difference;
  };
  seed(1);
  const auto model = make();
  differs("parameters", compare(parameters_of(*model), recorded["parameters"], exact));
  model->train(true);
  seed(2);
  const c10::IValue output = model->forward(inputs());
  differs("output", difference(output, recorded["output"], exact));
  backward(output);
  differs("gradients", compare(gradients_of(*model), recorded["gradients"], exact));
  differs("buffers", compare(buffers_of(*model, recorded["buffers"]), recorded["buffers"], exact));
  model->train(false);
  seed(2);
  const c10::AutoGradMode no_gradients(false);
  differs("evaluated", difference(model->forward(inputs()), recorded["evaluated"], exact));
  return found;
}

}  // namespace knead::engine::model
