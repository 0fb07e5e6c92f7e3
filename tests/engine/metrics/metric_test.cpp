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

const std::vector<std::string> kFields{"digit", "price"};

recipe::Accuracy accuracy_options(std::int64_t top = 1) {
  recipe::Accuracy options{};
  options.top = top;
  return options;
}

recipe::Loss classes_ignoring(std::int64_t ignored) {
  return recipe::CrossEntropy{.target = "digit",
                              .ignore_index = ignored,
                              .label_smoothing = 0,
                              .weight = std::nullopt,
                              .class_dim = std::nullopt};
}

std::unique_ptr<Metric> made(const recipe::Metric& metric,
                             const recipe::Loss& loss = classes_ignoring(-100)) {
  return std::move(make_metrics({metric}, {loss, {}, kFields}).front());
}

std::unique_ptr<Metric> accuracy(std::int64_t top = 1, std::int64_t ignored = -100) {
  return made(accuracy_options(top), classes_ignoring(ignored));
}

/// What a metric says of some samples, its fields all being `target`.
State state_of(Metric& metric, const at::Tensor& output, const at::Tensor& target) {
  const std::vector<std::string> names = metric.fields();
  Samples samples{target.size(0), &names, {}};
  for (std::size_t i = 0; i < names.size(); ++i) samples.tensors.push_back(target);
  return metric.of(output, samples);
}

double value_of(Metric& metric, const at::Tensor& output, const at::Tensor& target) {
  State total;
  metric.merge(total, state_of(metric, output, target));
  return metric.value(total);
}

/// The same from parts of so many samples, the last first.
double value_in_parts(Metric& metric, const at::Tensor& output, const at::Tensor& target,
                      std::int64_t size) {
  State total;
  for (std::int64_t begin = (output.size(0) - 1) / size * size; begin >= 0; begin -= size) {
    const std::int64_t here = std::min(size, output.size(0) - begin);
    metric.merge(total,
                 state_of(metric, output.narrow(0, begin, here), target.narrow(0, begin, here)));
  }
  return metric.value(total);
}

at::Tensor of(const std::string& dtype, std::vector<std::int64_t> shape,
              std::vector<double> values) {
  return tensor_of({{"dtype", dtype}, {"shape", shape}, {"values", values}});
}

template <class Options>
Options averaged(const json& recorded) {
  Options options{};
  if (!recorded.contains("average")) return options;
  using Average = typename decltype(Options{}.average)::value_type;
  const std::string average = recorded.at("average");
  options.average = average == "binary"  ? Average::binary
                    : average == "macro" ? Average::macro
                    : average == "micro" ? Average::micro
                                         : Average::weighted;
  return options;
}

recipe::Metric metric_of(const std::string& kind, const json& recorded) {
  if (kind == "f1") return averaged<recipe::F1>(recorded);
  if (kind == "precision") return averaged<recipe::PrecisionMetric>(recorded);
  if (kind == "recall") return averaged<recipe::RecallMetric>(recorded);
  if (kind == "auroc") {
    recipe::Auroc auroc{};
    if (recorded.at("average") == "weighted") auroc.average = recipe::Auroc::Average::weighted;
    return auroc;
  }
  if (kind == "perplexity") return recipe::Perplexity{};
  if (kind == "bits_per_byte") {
    recipe::BitsPerByte bits{};
    bits.bytes_per_token = 2.5;
    return bits;
  }
  if (kind == "mae") return recipe::MaeMetric{};
  if (kind == "mse") return recipe::MseMetric{};
  if (kind == "rmse") return recipe::RmseMetric{};
  return recipe::R2Metric{};
}

TEST_CASE("metrics are scikit-learn's, however the set is cut") {
  const json cases = Recorded("metrics").cases;
  REQUIRE(cases.size() >= 30);
  for (const json& each : cases) {
    const at::Tensor output = tensor_of(each.at("output")), target = tensor_of(each.at("target"));
    for (const auto& [kind, recorded] : each.at("values").items()) {
      INFO(kind << " " << each.value("average", "") << " of " << each.at("output").at("shape"));
      const auto metric = made(metric_of(kind, each));
      CHECK(metric->name() == kind);
      const double expected = recorded;
      CHECK(value_of(*metric, output, target) == Approx(expected).epsilon(1e-12));
      for (const std::int64_t size : {1, 7, 32})
        CHECK(value_in_parts(*metric, output, target, size) == Approx(expected).epsilon(1e-9));
    }
  }
}

TEST_CASE("accuracy is that of torch.topk, however the set is cut") {
  const json cases = Recorded("accuracy").cases;
  REQUIRE(cases.size() == 12);
  for (const json& each : cases) {
    INFO("top " << each.at("top") << " of " << each.at("output").at("shape"));
    const auto metric = accuracy(each.at("top"), each.at("ignore_index"));
    const at::Tensor output = tensor_of(each.at("output")), target = tensor_of(each.at("target"));
    const double expected = each.at("right").get<double>() / each.at("items").get<double>();
    CHECK(value_of(*metric, output, target) == expected);
    CHECK(value_in_parts(*metric, output, target, 3) == expected);
  }
}

TEST_CASE("the classes may be last, as language models have them") {
  const at::Tensor output = of("float32", {1, 2, 3}, {1, 2, 3, 5, 4, 3});
  CHECK(value_of(*accuracy(), output, of("int64", {1, 2}, {2, 1})) == 0.5);
  CHECK(value_of(*made(recipe::Perplexity{}), at::zeros({2, 3, 5}), at::ones({2, 3}, at::kLong)) ==
        Approx(5));
}

TEST_CASE("metrics are named as recipes name them") {
  CHECK(accuracy()->name() == "accuracy");
  CHECK(accuracy(5)->name() == "accuracy_top5");
  recipe::Accuracy named = accuracy_options();
  named.name = "right";
  CHECK(made(named)->name() == "right");
}

TEST_CASE("of nothing there is no metric") {
  for (const recipe::Metric& each :
       {recipe::Metric(accuracy_options()), recipe::Metric(recipe::F1{}),
        recipe::Metric(recipe::Auroc{}), recipe::Metric(recipe::Perplexity{}),
        recipe::Metric(recipe::RmseMetric{}), recipe::Metric(recipe::R2Metric{})}) {
    const auto metric = made(each);
    INFO(metric->name());
    CHECK(std::isnan(metric->value({})));
  }
  const auto ignoring = accuracy(1, 0);
  CHECK(std::isnan(value_of(*ignoring, at::ones({2, 3}), at::zeros({2}, at::kLong))));
  CHECK(std::isnan(value_of(*ignoring, at::ones({0, 3}), at::zeros({0}, at::kLong))));
  const auto perplexity = made(recipe::Perplexity{}, classes_ignoring(0));
  CHECK(std::isnan(value_of(*perplexity, at::ones({2, 3}), at::zeros({2}, at::kLong))));
}

TEST_CASE("of equal scores the first is the higher") {
  const at::Tensor output = of("float32", {4, 3}, {1, 1, 0, 1, 1, 0, 0, 2, 2, 0, 2, 2});
  CHECK(value_of(*accuracy(), output, of("int64", {4}, {0, 1, 1, 2})) == 0.5);
}

TEST_CASE("a score that is no number makes nothing right") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const at::Tensor output = of("float64", {3, 3}, {nan, nan, nan, nan, 1, 0, 3, nan, 0});
  const at::Tensor target = of("int64", {3}, {0, 1, 0});
  CHECK(value_of(*accuracy(), output, target) == 0);
  CHECK(value_of(*accuracy(2), output, target) == 2.0 / 3);
}

TEST_CASE("accuracy of labels is the share on the right side of the threshold") {
  const at::Tensor output = of("float32", {2, 2}, {0.1, -2, 0.7, 3});
  const at::Tensor target = of("float32", {2, 2}, {1, 0, 0, 1});
  CHECK(value_of(*accuracy(), output, target) == 0.75);
  recipe::Accuracy of_probabilities = accuracy_options();
  of_probabilities.threshold = 0.5;
  CHECK(value_of(*made(of_probabilities), output, target) == 0.5);
  CHECK(value_of(*accuracy(), of("float32", {2, 1}, {1, -1}), of("int64", {2}, {1, 1})) == 0.5);
}

TEST_CASE("a metric compares with its own field, and sees its own output") {
  recipe::MaeMetric mae{};
  mae.target = "price";
  mae.output = std::string("price");
  const auto metric = made(mae);
  CHECK(metric->fields() == std::vector<std::string>{"price"});
  c10::Dict<std::string, at::Tensor> returned;
  returned.insert("price", at::ones({2}));
  const std::vector<std::string> names{"price"};
  const Samples samples{2, &names, {at::zeros({2})}};
  CHECK(metric->value(metric->of(returned, samples)) == 1);
  mae.target = "prize";
  CHECK(refusal([&] { made(mae); }) ==
        "the data has no field 'prize', the target of the metric 'mae' | its fields are: digit, "
        "price | 2");
  CHECK(refusal([] { made(recipe::MaeMetric{}, recipe::FromModel{.target = std::nullopt}); }) ==
        "the metric 'mae' has nothing to compare with: loss names no target | write target: FIELD "
        "in loss or in the metric | 2");
}

TEST_CASE("a script gives a number for each item") {
  recipe::ScriptMetric script{};
  script.name = "far";
  script.code = schema::text_node(
      "def metric(output, batch):\n"
      "    return ((output - batch['price']).abs() > 1.5).float()\n",
      {});
  const auto metric = made(script);
  CHECK(metric->name() == "far");
  const at::Tensor output = of("float32", {4}, {1, 2, 3, 4});
  CHECK(value_of(*metric, output, at::ones({4})) == 0.5);
  CHECK(value_in_parts(*metric, output, at::ones({4}), 3) == 0.5);
}

TEST_CASE("auroc of scores that are no numbers is no number") {
  recipe::Auroc options{};
  const auto metric = made(options);
  const double nan = std::nan("");
  const at::Tensor scores = of("float32", {4, 2}, {0.5, 1, nan, 2, 1, 0, 3, 0});
  CHECK(std::isnan(value_of(*metric, scores, of("int64", {4}, {0, 1, 1, 0}))));
}

TEST_CASE("metrics refuse what they are not about") {
  const auto refused = [](std::int64_t top, const at::Tensor& output, const at::Tensor& target) {
    return refusal([&] { state_of(*accuracy(top), output, target); });
  };
  CHECK(refused(1, at::ones({4, 3}), at::ones({4})) ==
        "the target 'digit' is of float32: accuracy needs whole numbers for classes | if 'digit' "
        "holds classes, write dtype: int64 in its field | 3");
  CHECK(refused(1, at::ones({4, 1, 1}), at::zeros({4, 1}, at::kLong)) ==
        "the output has the shape (4, 1, 1), the target 'digit' (4, 1): accuracy needs (N, C, …), "
        "a score for each of two or more classes | give the model an output for each class | 3");
  CHECK(refused(1, at::ones({4, 3}), of("int64", {4}, {0, 1, 2, 3})) ==
        "the target 'digit' has the class 3, but the output has 3 classes, 0 to 2 | check the data "
        "and the number of classes; if 3 marks what does not count, write ignore_index: 3 in loss "
        "| 3");
  CHECK(refused(3, at::ones({4, 3}), at::zeros({4}, at::kLong)) ==
        "accuracy_top3 is always 1 for an output of 3 classes | write a top below 3 | 3");
  CHECK(refused(1, at::ones({4}), of("float32", {4}, {0, 1, 7, 0})) ==
        "the target 'digit' holds 7: accuracy needs 0 and 1, or a score for each class | give the "
        "model an output for each class, or 'digit' 0 and 1 | 3");
  recipe::F1 binary{};
  binary.average = recipe::F1::Average::binary;
  CHECK(refusal([&] {
          state_of(*made(binary), at::ones({4, 3}), at::zeros({4}, at::kLong));
        }) ==
        "f1 with average: binary is of two classes, the output has 3 | write average: macro, micro "
        "or weighted | 3");
}

}  // namespace
}  // namespace knead::engine::metrics
