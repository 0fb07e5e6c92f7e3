#include <cmath>
#include <cstring>
#include <map>

#include "runner/checkpoint/names.h"
#include "runner/engine/device/start.h"
#include "runner/engine/train/snapshot.h"
#include "tests/engine/train/short_run.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine {
namespace {

using Weights = std::map<std::string, std::vector<double>>;

Weights weights_of(const checkpoint::Snapshot& snapshot) {
  Weights weights;
  for (const checkpoint::Part& part : snapshot.parts) {
    if (part.file != checkpoint::kModelFile) continue;
    for (const files::TensorBytes& tensor : part.tensors) {
      std::vector<double>& values = weights[tensor.name];
      values.resize(tensor.bytes.size() / sizeof(double));
      std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
    }
  }
  return weights;
}

std::string model_of(const std::string& name) {
  return "model={source: " KNEAD_ROOT "/tests/engine/step/float64.py, class: " + name +
         ", args: {inputs: 64, outputs: 10}}";
}

/// The weights after one step of plain gradient descent with rate 1: the first weights less the
/// gradient.
Weights after_one_step(const std::vector<std::string>& overrides, std::uint64_t micro,
                       std::uint64_t size) {
  std::vector<std::string> all{model_of("Float64"),
                               "data.train.fields.pixels.dtype=float64",
                               "optimizer={type: sgd, lr: 1}",
                               "schedule=constant",
                               "evaluate.metrics=[]",
                               "data.train.rows=[0, " + std::to_string(size) + "]",
                               "train=1 steps",
                               "batch.micro=" + std::to_string(micro)};
  all.insert(all.end(), overrides.begin(), overrides.end());
  const knead::tests::Folder folder;
  return weights_of(train(short_recipe("digits", all), 1, nullptr, folder.path()).state);
}

double farthest(const Weights& a, const Weights& b) {
  double most = 0;
  REQUIRE(a.size() == b.size());
  for (const auto& [name, values] : a) {
    REQUIRE(values.size() == b.at(name).size());
    for (std::size_t i = 0; i < values.size(); ++i)
      most = std::max(most, std::abs(values[i] - b.at(name)[i]));
  }
  return most;
}

}  // namespace

TEST_CASE("how a step is cut into micro-batches does not change its gradient") {
  start_torch({1, true});
  const std::vector<std::vector<std::string>> losses{
      {},
      {"loss.ignore_index=0"},  // whole micro-batches may have no other digit
      {"loss.ignore_index=3", "loss.label_smoothing=0.1"},
      {"loss.weight=[1, 0.5, 2, 0, 0.3, 1, 1, 4, 1, 0.1]"}};
  for (const auto& overrides : losses) {
    for (const std::uint64_t size : {32, 23}) {  // a whole window, and the last, smaller one
      const Weights whole = after_one_step(overrides, 32, size);
      const Weights plain = after_one_step({"loss.ignore_index=9"}, 32, size);
      CHECK(farthest(whole, plain) > 1e-6);  // the gradient is there to be seen
      for (const std::uint64_t micro : {1, 2, 4, 8, 16}) {
        INFO("micro " << micro << " of " << size << " " << (overrides.empty() ? "" : overrides[0]));
        CHECK(farthest(after_one_step(overrides, micro, size), whole) <= 1e-12);
      }
    }
  }
}

TEST_CASE("a loss that the model computes is a mean over samples, however they are cut") {
  start_torch({1, true});
  const std::vector<std::string> own{model_of("ItsOwnLoss"), "loss=from_model"};
  for (const std::uint64_t size : {32, 23}) {
    const Weights outside = after_one_step({}, 32, size);
    for (const std::uint64_t micro : {1, 4, 8, 16, 32})
      CHECK(farthest(after_one_step(own, micro, size), outside) <= 1e-12);
  }
}

TEST_CASE("one more ignored sample changes nothing else") {
  start_torch({1, true});
  // Of the first 24 digits number 23 is ignored or not there.
  const auto digit_of_last = [](const std::string& ignored) {
    return after_one_step({"loss.ignore_index=" + ignored}, 8, 24);
  };
  double least = 1;
  for (int digit = 0; digit < 10; ++digit)
    least = std::min(
        least, farthest(digit_of_last(std::to_string(digit)),
                        after_one_step({"loss.ignore_index=" + std::to_string(digit)}, 8, 23)));
  CHECK(least <= 1e-12);
}

}  // namespace knead::engine
