#include "runner/engine/metrics/metric.h"

#include <cmath>
#include <limits>

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <catch2/catch.hpp>

#include "tests/engine/recorded.h"
#include "tests/engine/refusal.h"

namespace knead::engine::metrics {
namespace {

using nlohmann::json;

std::unique_ptr<Metric> accuracy(std::int64_t top = 1, std::int64_t ignored = -100) {
  const recipe::CrossEntropy loss = {.target = "digit",
                                     .ignore_index = ignored,
                                     .label_smoothing = 0,
                                     .weight = std::nullopt,
                                     .class_dim = std::nullopt};
  return std::move(make_metrics({recipe::Accuracy{.top = top}}, loss).front());
}

at::Tensor of(const std::string& dtype, std::vector<std::int64_t> shape,
              std::vector<double> values) {
  return tensor_of({{"dtype", dtype}, {"shape", shape}, {"values", values}});
}

TEST_CASE("accuracy is that of torch.topk, however the set is cut") {
  const json cases = Recorded("accuracy").cases;
  REQUIRE(cases.size() == 12);
  for (const json& each : cases) {
    INFO("top " << each.at("top") << " of " << each.at("output").at("shape"));
    const auto metric = accuracy(each.at("top"), each.at("ignore_index"));
    const at::Tensor output = tensor_of(each.at("output")), target = tensor_of(each.at("target"));
    const double expected = each.at("right").get<double>() / each.at("items").get<double>();
    metric->add(output, target);
    CHECK(metric->value() == expected);
    metric->reset();
    for (std::int64_t i = 0; i < output.size(0); i += 3) {
      const std::int64_t size = std::min<std::int64_t>(3, output.size(0) - i);
      metric->add(output.narrow(0, i, size), target.narrow(0, i, size));
    }
    CHECK(metric->value() == expected);
  }
}

TEST_CASE("the classes may be last, as language models have them") {
  const at::Tensor output = of("float32", {1, 2, 3}, {1, 2, 3, 5, 4, 3});
  const auto metric = accuracy();
  metric->add(output, of("int64", {1, 2}, {2, 1}));
  CHECK(metric->value() == 0.5);
}

TEST_CASE("metrics are named as recipes name them") {
  CHECK(accuracy()->name() == "accuracy");
  CHECK(accuracy(5)->name() == "accuracy_top5");
}

TEST_CASE("of nothing there is no accuracy") {
  CHECK(std::isnan(accuracy()->value()));
  const auto metric = accuracy(1, 0);
  metric->add(at::ones({2, 3}), at::zeros({2}, at::kLong));
  metric->add(at::ones({0, 3}), at::zeros({0}, at::kLong));
  CHECK(std::isnan(metric->value()));
}

TEST_CASE("of equal scores the first is the higher") {
  const auto metric = accuracy();
  const at::Tensor output = of("float32", {4, 3}, {1, 1, 0, 1, 1, 0, 0, 2, 2, 0, 2, 2});
  metric->add(output, of("int64", {4}, {0, 1, 1, 2}));
  CHECK(metric->value() == 0.5);
}

TEST_CASE("a score that is no number makes nothing right") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const at::Tensor output = of("float64", {3, 3}, {nan, nan, nan, nan, 1, 0, 3, nan, 0});
  const at::Tensor target = of("int64", {3}, {0, 1, 0});
  const auto first = accuracy(), first_two = accuracy(2);
  first->add(output, target);
  CHECK(first->value() == 0);
  first_two->add(output, target);
  CHECK(first_two->value() == 2.0 / 3);
}

TEST_CASE("accuracy refuses what has no classes") {
  const auto refused = [](std::int64_t top, const at::Tensor& output, const at::Tensor& target) {
    return refusal([&] { accuracy(top)->add(output, target); });
  };
  CHECK(refused(1, at::ones({4, 3}), at::ones({4, 3})) ==
        "the target 'digit' is of float32: accuracy needs whole numbers for classes | if 'digit' "
        "holds "
        "classes, write dtype: int64 in its field | 3");
  CHECK(refused(1, at::ones({4, 1}), at::zeros({4}, at::kLong)) ==
        "the output has the shape (4, 1), the target 'digit' (4): accuracy needs (N, C, …), a "
        "score for "
        "each of two or more classes | give the model an output for each class | 3");
  CHECK(refused(1, at::ones({4, 3}), of("int64", {4}, {0, 1, 2, 3})) ==
        "the target 'digit' has the class 3, but the output has 3 classes, 0 to 2 | check the data "
        "and "
        "the number of classes; if 3 marks what does not count, write ignore_index: 3 in loss | 3");
  CHECK(refused(3, at::ones({4, 3}), at::zeros({4}, at::kLong)) ==
        "accuracy_top3 is always 1 for an output of 3 classes | write a top below 3 | 3");
  const auto of_mse = make_metrics({recipe::Accuracy{.top = 1}}, recipe::Mse{.target = "price"});
  CHECK(refusal([&] {
          of_mse.front()->add(at::ones({4, 3}), at::ones({4}));
        }) ==
        "the target 'price' is of float32: accuracy needs whole numbers for classes | if 'price' "
        "holds "
        "classes, write dtype: int64 in its field | 3");
}

}  // namespace
}  // namespace knead::engine::metrics
