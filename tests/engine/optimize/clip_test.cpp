#include "runner/engine/optimize/clip.h"

#include <cmath>
#include <limits>

#include <ATen/Parallel.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros_like.h>
#include <catch2/catch.hpp>

#include "tests/engine/recorded.h"
#include "tests/engine/refusal.h"

namespace knead::engine::optimize {
namespace {

using nlohmann::json;

NamedTensors with_gradients(const std::vector<at::Tensor>& gradients) {
  NamedTensors parameters;
  for (const at::Tensor& gradient : gradients) {
    parameters.push_back({"w", at::zeros_like(gradient)});
    parameters.back().tensor.mutable_grad() = gradient;
  }
  return parameters;
}

NamedTensors recorded_gradients(const json& recorded) {
  std::vector<at::Tensor> gradients;
  for (const json& each : recorded.at("gradients")) gradients.push_back(tensor_of(each));
  return with_gradients(gradients);
}

Clip clip_norm(double most, double type = 2) {
  return Clip(recipe::Clip{.norm = most, .value = std::nullopt, .norm_type = type});
}

Clip clip_value(double most) {
  return Clip(recipe::Clip{.norm = std::nullopt, .value = most, .norm_type = 2});
}

double digits_of(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kDouble ? 1e-15 : 5e-7;
}

TEST_CASE("clipping by norm is torch's") {
  const json cases = Recorded("clipping").cases.at("norm");
  REQUIRE(cases.size() == 16);
  for (const json& each : cases) {
    INFO("norm " << each.at("norm_type") << " at most " << each.at("most"));
    const double type = each.at("norm_type") == "inf" ? std::numeric_limits<double>::infinity()
                                                      : each.at("norm_type").get<double>();
    const NamedTensors parameters = recorded_gradients(each);
    const Measured measured = clip_norm(each.at("most"), type).measure(parameters, 1);
    const at::Tensor norm = tensor_of(each.at("norm"));
    CHECK(measured.norm == Approx(norm.item<double>()).epsilon(digits_of(norm)).margin(0));
    CHECK(measured.finite);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const at::Tensor clipped = parameters[i].tensor.grad().mul(measured.factor);
      CHECK(distance(clipped, tensor_of(each.at("clipped").at(i))) <= digits_of(clipped));
    }
  }
}

TEST_CASE("clipping by value is torch's, bit by bit") {
  for (const json& each : Recorded("clipping").cases.at("value")) {
    const NamedTensors parameters = recorded_gradients(each);
    CHECK(clip_value(each.at("most")).measure(parameters, 1).factor == 1);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      CHECK(same_bits(parameters[i].tensor.grad(), tensor_of(each.at("clipped").at(i))));
  }
}

TEST_CASE("bounds are on what the gradients are after scaling") {
  const auto gradients = [] { return with_gradients({at::full({2}, 30.0), at::full({2}, 40.0)}); };
  const double norm = std::sqrt(2 * 9.0 + 2 * 16.0);
  CHECK(Clip(std::nullopt).measure(gradients(), 0.1).norm == Approx(norm).epsilon(1e-14));
  CHECK(Clip(std::nullopt).measure(gradients(), 0.1).factor == 0.1);
  CHECK(clip_norm(1).measure(gradients(), 0.1).factor ==
        Approx(0.1 / (norm + 1e-6)).epsilon(1e-14));
  CHECK(clip_norm(100).measure(gradients(), 0.1).factor == 0.1);

  const NamedTensors parameters = gradients();
  const Measured by_value = clip_value(3.5).measure(parameters, 0.1);
  CHECK(by_value.norm == Approx(norm).epsilon(1e-14));
  CHECK(by_value.factor == 1);
  CHECK(parameters[0].tensor.grad().allclose(at::full({2}, 3.0)));
  CHECK(parameters[1].tensor.grad().equal(at::full({2}, 3.5)));
}

TEST_CASE("one element that is not finite is found, wherever it is") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double type : {2.0, 1.0, infinity}) {
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kBFloat16}) {
      for (const double value : {nan, infinity, -infinity}) {
        for (const std::int64_t place : {0, 15, 16, 70'001}) {
          const at::Tensor gradient = at::ones({70'002}, dtype);
          gradient.select(0, place).fill_(value);
          CHECK_FALSE(
              clip_norm(1, type).measure(with_gradients({at::ones({3}), gradient}), 1).finite);
        }
      }
    }
  }
}

TEST_CASE("gradients that are not finite are left as they are") {
  const NamedTensors parameters = with_gradients({at::ones({3}), at::ones({1}).log().log()});
  CHECK_FALSE(clip_value(0.5).measure(parameters, 0.1).finite);
  CHECK(parameters[0].tensor.grad().equal(at::ones({3})));
}

TEST_CASE("the largest and smallest numbers of float32 have a norm") {
  const double most = std::numeric_limits<float>::max();
  const Measured large = Clip(std::nullopt).measure(with_gradients({at::full({4}, most)}), 1);
  CHECK(large.finite);
  CHECK(large.norm == 2 * most);
  const double least = std::numeric_limits<float>::denorm_min();
  CHECK(Clip(std::nullopt).measure(with_gradients({at::full({4}, least)}), 1).norm == 2 * least);
}

TEST_CASE("the norm has the same bits for any number of threads") {
  const NamedTensors parameters =
      with_gradients({at::randn({1'000'003}), at::randn({7}), at::randn({300, 500})});
  at::set_num_threads(1);
  const double norm = Clip(std::nullopt).measure(parameters, 1).norm;
  double squares = 0;
  for (const auto& [name, parameter] : parameters)
    squares += parameter.grad().to(at::kDouble).square().sum().item<double>();
  CHECK(norm == Approx(std::sqrt(squares)).epsilon(1e-13).margin(0));
  for (const int threads : {2, 3, 5}) {
    at::set_num_threads(threads);
    CHECK(Clip(std::nullopt).measure(parameters, 1).norm == norm);
  }
  at::set_num_threads(1);
}

TEST_CASE("gradients may be missing, have gaps or another order") {
  CHECK(Clip(std::nullopt).measure({{"w", at::ones({3})}}, 1).norm == 0);
  CHECK(clip_norm(1, 1).measure({}, 1).norm == 0);
  const at::Tensor wide = at::ones({4, 6});
  for (const at::Tensor& gradient :
       {wide.narrow(1, 0, 4), at::ones({2, 8}).t(), at::ones({}).expand({16})})
    CHECK(Clip(std::nullopt).measure(with_gradients({gradient}), 1).norm == 4);
}

TEST_CASE("a sparse gradient is refused before it is measured") {
  NamedTensors parameters = {{"token.weight", at::ones({3, 2})}};
  parameters[0].tensor.mutable_grad() = at::ones({3, 2}).to_sparse();
  CHECK(refusal([&] { Clip(std::nullopt).measure(parameters, 1); }) ==
        "the gradient of 'token.weight' is sparse, and training takes dense ones only | leave "
        "sparse=True out of the layer | 3");
}

}  // namespace
}  // namespace knead::engine::optimize
