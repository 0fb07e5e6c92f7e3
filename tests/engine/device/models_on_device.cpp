// models_on_device cpu|cuda SOURCE FIXTURE…: computes each model that tools/record_forward
// recorded on the CPU and on a device, from the same weights and without dropout. Says, a line
// each, how far outputs and gradients are apart, relative to the largest number of their tensor.
// The exit status is 1 if any are farther apart than 1e-4, or if a model fails on one of the two
// only, unless PyTorch refuses it there too.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>
#include <ATen/ops/sub.h>

#include "runner/engine/device/device.h"
#include "runner/engine/device/driver.h"
#include "runner/engine/device/start.h"
#include "runner/engine/job/model_place.h"
#include "runner/syntax/refusal.h"
#include "tests/engine/model/compare_forward.h"
#include "tests/engine/model/recorded_models.h"

namespace {

using namespace knead::engine;

constexpr double kBound = 1e-4;
/// The least number that a difference is measured by, relative to the largest of the model: some
/// gradients are sums that would be 0 if nothing were rounded.
constexpr double kLeast = 1e-2;

c10::IValue on_device(const c10::IValue& value, at::Device device) {
  if (value.isTensor()) return value.toTensor().to(device);
  if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    for (const at::Tensor& item : value.toTensorVector()) list.push_back(item.to(device));
    return list;
  }
  if (!value.isTuple()) return value;
  std::vector<c10::IValue> items;
  for (const auto& item : value.toTupleRef().elements()) items.push_back(on_device(item, device));
  return c10::ivalue::Tuple::create(std::move(items));
}

/// Holds the tensors of an output, then the gradients, all in float64 on the CPU; or the reason why
/// the model failed.
struct Step {
  std::vector<at::Tensor> tensors;
  std::string failure;
};

void seed() {
  auto generator = at::detail::getDefaultCPUGenerator();
  generator.set_current_seed(1);
}

Step step_of(const std::string& source, const nlohmann::json& recorded, at::Device device) {
  Step step;
  const auto keep = [&](const at::Tensor& tensor) {
    if (!tensor.defined()) return step.tensors.push_back({});
    step.tensors.push_back(tensor.detach().to(at::kCPU).to(at::kDouble));
  };
  try {
    seed();
    const auto model = model::build_recorded(source, recorded, model::build_source);
    if (!device.is_cpu()) move_to_device(*model);
    model->train(false);
    std::vector<c10::IValue> inputs;
    for (const auto& input : recorded["inputs"])
      inputs.push_back(on_device(to_value(input), device));
    seed();
    const c10::IValue output = model->forward(inputs);
    at::Tensor loss;
    for (const at::Tensor& tensor : tensors_in(output)) {
      keep(tensor);
      if (!tensor.requires_grad()) continue;
      const at::Tensor part = tensor.to(at::kDouble).pow(2).sum();
      loss = loss.defined() ? loss.add(part) : part;
    }
    if (loss.defined()) loss.backward();
    for (const auto& parameter : model->parameters()) keep(parameter.tensor.grad());
  } catch (const knead::syntax::Refusal& refusal) {
    step.failure = knead::syntax::to_text(refusal);
  } catch (const std::exception& error) {
    step.failure = error.what();
  }
  return step;
}

double largest_of(const at::Tensor& tensor) {
  return tensor.defined() && tensor.numel() > 0 ? tensor.abs().max().item<double>() : 0;
}

double distance(const Step& a, const Step& b) {
  if (a.tensors.size() != b.tensors.size()) return INFINITY;
  double far = 0, least = 1e-30;
  for (const at::Tensor& tensor : a.tensors) least = std::max(least, kLeast * largest_of(tensor));
  for (std::size_t i = 0; i < a.tensors.size(); ++i) {
    const at::Tensor &x = a.tensors[i], &y = b.tensors[i];
    if (x.defined() != y.defined()) return INFINITY;
    if (!x.defined() || x.numel() == 0) continue;
    if (x.sizes() != y.sizes()) return INFINITY;
    far = std::max(far, largest_of(at::sub(x, y)) / std::max(largest_of(x), least));
  }
  return far;
}

/// Returns whether PyTorch refuses a model on a GPU for this reason too: it makes Tensors on the
/// host, or computes gradients of an evaluated LSTM.
bool is_refused_alike(const std::string& failure) {
  static const char* const kReasons[] = {"meets one in the memory of the host",
                                         "to be on the same device", "can't convert",
                                         "can only be called in training mode"};
  return std::any_of(std::begin(kReasons), std::end(kReasons),
                     [&](const char* reason) { return failure.find(reason) != failure.npos; });
}

}  // namespace

int main(int count, char** words) {
  const bool on_gpu = count > 1 && std::string(words[1]) == "cuda";
  Execution execution{.threads = 1, .deterministic = false};
  if (on_gpu) {
    expect_gpu(0);
    load_cuda();
    execution.gpu = 0;
  }
  start_torch(execution);
  int status = 0, models = 0, refused = 0;
  double farthest = 0;
  for (int i = 2; i + 1 < count; i += 2) {
    const auto recorded = read_fixture(words[i + 1]);
    const Step here = step_of(words[i], recorded, at::kCPU);
    const Step there = step_of(words[i], recorded, device());
    if (!here.failure.empty() && !there.failure.empty()) continue;
    if (here.failure.empty() && is_refused_alike(there.failure)) {
      ++refused;
      continue;
    }
    ++models;
    if (here.failure.empty() && there.failure.empty()) {
      const double far = distance(here, there);
      farthest = std::max(farthest, far <= kBound ? far : 0.0);
      if (far <= kBound) continue;
      fmt::print("{}: {:.1e} apart\n", words[i], far);
      std::fflush(stdout);
    } else {
      fmt::print("{}: only on {}: {}\n", words[i], here.failure.empty() ? "the device" : "the CPU",
                 here.failure.empty() ? there.failure : here.failure);
    }
    status = 1;
  }
  fmt::print("{} models within {:.1e}; {} make Tensors on the host, as PyTorch refuses too\n",
             models, farthest, refused);
  std::fflush(nullptr);
  std::_Exit(status);
}
