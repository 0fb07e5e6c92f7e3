#include "runner/engine/predictions/judged.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include <catch2/catch.hpp>

#include "recipe.h"
#include "runner/engine/predictions/picture.h"
#include "schema/load.h"

using namespace knead;
using namespace knead::engine;

namespace {

/// The loss of a recipe for a target of this dtype: "{type: mse, target: digit}".
recipe::Loss loss_of(const std::string& text, const std::string& dtype) {
  const std::string file = KNEAD_ROOT "/tests/end_to_end/recipes/digits.yaml";
  const std::vector<std::string> overrides{"loss=" + text, "evaluate.metrics=[]",
                                           "data.train.fields.digit.dtype=" + dtype};
  return schema::load(file, overrides, schema::this_world()).recipe.loss;
}

PredictionTally judged(const std::string& loss, const at::Tensor& output,
                       const at::Tensor& target) {
  const recipe::Loss recipe =
      loss_of(loss, target.scalar_type() == at::kLong ? "int64" : "float32");
  const auto made = losses::make_loss(recipe, {"digit"});
  const std::vector<std::string> names{"digit"};
  const Samples samples{target.size(0), &names, {target}, {}};
  const c10::IValue returned(output);
  const OutputKey whole;
  PredictionTally tally(4);
  judge(Output(returned, whole), samples, 100, {recipe, *made}, tally);
  return tally;
}

}  // namespace

TEST_CASE("samples are judged by the loss of each by itself") {
  const at::Tensor scores = at::arange(21, at::kFloat).sin().reshape({7, 3}).mul(3);
  const at::Tensor classes = at::tensor({0, 1, 2, 2, 1, 0, -100}, at::kLong);
  const auto tally = judged("{type: cross_entropy, target: digit}", scores, classes);
  CHECK(tally.samples() == 6);  // the last one is ignored
  CHECK(tally.classes() == 3);
  const at::Tensor losses = at::cross_entropy_loss(scores, classes, {}, at::Reduction::None);
  const at::Tensor shares = at::softmax(scores.to(at::kDouble), 1);
  for (const auto* list : {&tally.worst(), &tally.best()}) {
    for (const JudgedSample& each : *list) {
      const auto i = static_cast<std::int64_t>(each.sample) - 100;
      CHECK(each.loss == Approx(losses[i].item<double>()).epsilon(1e-5));
      CHECK(each.target == classes[i].item<double>());
      CHECK(each.predicted == shares[i].argmax().item<double>());
      CHECK(each.confidence == Approx(shares[i].max().item<double>()).epsilon(1e-5));
    }
  }
  CHECK(tally.worst()[0].loss >= tally.best()[0].loss);
}

TEST_CASE("of samples with several targets the calibration of each is kept") {
  const at::Tensor scores = at::arange(60, at::kFloat).sin().reshape({2, 6, 5}).mul(3);
  const at::Tensor classes =
      at::tensor({0, 1, 2, 3, 4, -100, 1, 1, -100, 0, 2, 4}, at::kLong).reshape({2, 6});
  const at::Tensor shares = at::softmax(scores.to(at::kDouble), 2).reshape({12, 5});
  std::vector<std::uint64_t> counts(PredictionTally::kBins), right(PredictionTally::kBins);
  for (std::int64_t i = 0; i < 12; ++i) {
    const auto is = classes.flatten()[i].item<std::int64_t>();
    if (is == -100) continue;
    const auto bin = static_cast<std::size_t>(shares[i].max().item<double>() * 15);
    ++counts[bin];
    right[bin] += shares[i].argmax().item<std::int64_t>() == is ? 1 : 0;
  }
  for (const bool is_last : {true, false}) {
    const auto tally = is_last ? judged("{type: cross_entropy, target: digit}", scores, classes)
                               : judged("{type: nll, target: digit}",
                                        at::log_softmax(scores, 2).transpose(1, 2), classes);
    CHECK(tally.samples() == 2);
    CHECK(tally.classes() == 0);
    for (std::size_t bin = 0; bin < PredictionTally::kBins; ++bin) {
      CHECK(tally.bins()[bin].count == counts[bin]);
      CHECK(tally.bins()[bin].right == right[bin]);
    }
  }
}

TEST_CASE("one score is one of two classes, and numbers are pairs") {
  const at::Tensor scores = at::tensor({3.0F, -2.0F, 0.5F}).unsqueeze(1);
  const at::Tensor is = at::tensor({1.0F, 1.0F, 0.0F}).unsqueeze(1);
  const auto two = judged("{type: bce_with_logits, target: digit}", scores, is);
  CHECK(two.classes() == 2);
  CHECK(two.worst()[0].sample == 101);
  CHECK(two.worst()[0].predicted == 0);
  CHECK(two.worst()[0].confidence == Approx(1 / (1 + std::exp(-2.0))));
  const auto numbers = judged("{type: mse, target: digit}", scores, is);
  CHECK(numbers.classes() == 0);
  CHECK(numbers.points().size() == 3);
  CHECK(numbers.worst()[0].loss == 9);
  CHECK(numbers.worst()[0].predicted == -2);
  const auto several = judged("{type: mse, target: digit}", at::zeros({2, 5}), at::ones({2, 5}));
  CHECK(several.points().size() == 10);
  CHECK(std::isnan(several.worst()[0].target));
}

TEST_CASE("fields that are pictures are told from others") {
  const auto shape = [](const std::string& name, std::vector<std::int64_t> sizes) {
    const auto found = picture_in({name, data::Dtype::float32, std::move(sizes)});
    return found ? std::vector{found->channels, found->height, found->width,
                               std::int64_t{found->channels_are_last}}
                 : std::vector<std::int64_t>{};
  };
  using Shape = std::vector<std::int64_t>;
  CHECK(shape("x", {28, 30}) == Shape{1, 28, 30, 0});
  CHECK(shape("x", {3, 8, 9}) == Shape{3, 8, 9, 0});
  CHECK(shape("x", {8, 9, 3}) == Shape{3, 8, 9, 1});
  CHECK(shape("x", {8, 9, 4}).empty());
  CHECK(shape("pixels", {64}) == Shape{1, 8, 8, 0});
  CHECK(shape("pixels", {65}).empty());
  CHECK(shape("leaf", {64}).empty());
  CHECK(shape("x", {3, 3}).empty());
}

TEST_CASE("a picture is a small PNG file") {
  std::vector<double> values(3 * 500 * 300);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 7) - 3;
  const std::string png = png_in_base64({3, 500, 300, false}, values, false);
  CHECK(png.starts_with("iVBORw0KGgo"));
  CHECK(png.size() % 4 == 0);
  CHECK(png.size() < 100'000);
  values.assign(16, NAN);
  CHECK(png_in_base64({1, 4, 4, false}, values, false).starts_with("iVBORw0KGgo"));
}
