// However a window is cut into micro-batches, the sums of a loss and of its weights give one
// gradient: in float64 to 1e-12, with what does not count spread unevenly.

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/where.h>

#include "tests/engine/losses/losses.h"

#include <catch2/catch.hpp>

namespace knead::engine::losses {
namespace {

constexpr std::int64_t kInputs = 7;
constexpr std::int64_t kClasses = 5;
constexpr std::int64_t kTokens = 6;

using Fields = std::vector<std::pair<std::string, at::Tensor>>;

/// Numbers from -1 to 1 that do not repeat.
at::Tensor numbers(at::IntArrayRef shape, double phase) {
  const std::int64_t count = c10::multiply_integers(shape);
  return at::arange(count, at::kDouble).mul(1.7).add(phase).sin().reshape(shape);
}

/// A loss, what forward would return for some rows of the scores (N, kTokens, kClasses), and the
/// fields.
struct Case {
  std::string name;
  recipe::Loss loss;
  c10::IValue (*output)(const at::Tensor& scores);
  Fields fields;  // of 32 samples
};

/// Of d(Σ sums)/d(weights of the model), all of them divided by Σ weights.
at::Tensor gradient(const Case& one, std::int64_t samples, std::int64_t micro) {
  const auto loss = made(one.loss);
  const at::Tensor inputs = numbers({samples, kTokens, kInputs}, 0.3);
  const at::Tensor model = numbers({kInputs, kClasses}, 0.9).requires_grad_();
  double weight = 0;
  for (std::int64_t begin = 0; begin < samples; begin += micro) {
    const std::int64_t count = std::min(micro, samples - begin);
    Fields fields;
    for (const auto& [name, tensor] : one.fields)
      fields.emplace_back(name, tensor.narrow(0, begin, count));
    const Batch batch(count, fields);
    const Part part =
        of(*loss, one.output(at::matmul(inputs.narrow(0, begin, count), model)), batch);
    part.sum.backward();
    weight += part.weight;
  }
  return model.grad().div(weight);
}

/// Classes of tokens: of sample i only i % 7 count, of some none.
at::Tensor uneven_classes() {
  const at::Tensor classes = at::arange(32 * kTokens, at::kLong).mul(3).remainder(kClasses);
  const at::Tensor place = at::arange(32 * kTokens, at::kLong).remainder(kTokens);
  const at::Tensor live =
      at::arange(32 * kTokens, at::kLong).div(kTokens, "floor").remainder(kTokens + 1);
  return at::where(place.lt(live), classes, at::full({}, -100, at::kLong)).reshape({32, kTokens});
}

c10::IValue as_it_is(const at::Tensor& scores) { return scores; }
c10::IValue logarithms(const at::Tensor& scores) { return at::log_softmax(scores, -1); }
c10::IValue steps_first(const at::Tensor& scores) {
  return at::log_softmax(scores, -1).transpose(0, 1);
}
c10::IValue two(const at::Tensor& scores) {
  return c10::ivalue::Tuple::create({scores.select(1, 0), scores.select(1, 1)});
}
c10::IValue two_numbers(const at::Tensor& scores) {
  return c10::ivalue::Tuple::create(
      {scores.select(1, 0).select(1, 0), scores.select(1, 1).select(1, 2)});
}

const std::vector<double> kWeights{1, 0.5, 2, 0, 0.3};

std::vector<Case> of_classes() {
  const Fields tokens{{"digit", uneven_classes()}};
  std::vector<Case> cases;
  for (const double smoothing : {0.0, 0.1}) {
    for (const bool weighted : {false, true}) {
      recipe::CrossEntropy loss = cross_entropy();
      loss.class_dim = recipe::CrossEntropy::ClassDim::last;
      loss.label_smoothing = smoothing;
      if (weighted) loss.weight = kWeights;
      cases.push_back({"cross_entropy", loss, as_it_is, tokens});
    }
  }
  for (const bool weighted : {false, true}) {
    recipe::Nll loss{.target = "digit",
                     .ignore_index = -100,
                     .weight = std::nullopt,
                     .class_dim = recipe::Nll::ClassDim::last};
    if (weighted) loss.weight = kWeights;
    cases.push_back({"nll", loss, logarithms, tokens});
  }
  const recipe::Ctc ctc{.target = "digit",
                        .input_lengths = "steps",
                        .target_lengths = "lengths",
                        .blank = 0,
                        .zero_infinity = true,
                        .batch_first = false};
  const at::Tensor samples = at::arange(32, at::kLong);
  cases.push_back({"ctc",
                   ctc,
                   steps_first,
                   {{"digit", at::arange(64, at::kLong).remainder(4).add(1).reshape({32, 2})},
                    {"steps", samples.remainder(3).add(4)},
                    {"lengths", samples.remainder(3)}}});
  return cases;
}

std::vector<Case> of_numbers() {
  const at::Tensor price = numbers({32, kTokens, kClasses}, 2.1);
  const Fields some{{"price", price}};
  const Fields shares{{"price", price.mul(0.5).add(0.5)}};
  const Fields signs{{"price", price.sign()}};
  const Fields sign_of_sample{{"price", numbers({32}, 2.1).sign()}};
  std::vector<Case> cases{
      {"mse", recipe::Mse{.target = "price"}, as_it_is, some},
      {"l1", recipe::L1{.target = "price"}, as_it_is, some},
      {"smooth_l1", recipe::SmoothL1{.target = "price", .beta = 0.3}, as_it_is, some},
      {"huber", recipe::Huber{.target = "price", .delta = 0.7}, as_it_is, some},
      {"hinge_embedding", recipe::HingeEmbedding{.target = "price", .margin = 1}, as_it_is, signs},
      {"cosine_embedding", recipe::CosineEmbedding{.target = "price", .margin = 0.1}, two,
       sign_of_sample},
      {"margin_ranking", recipe::MarginRanking{.target = "price", .margin = 0.1}, two_numbers,
       sign_of_sample}};
  for (const auto reduction : {recipe::KlDiv::Reduction::mean, recipe::KlDiv::Reduction::batchmean})
    cases.push_back({"kl_div",
                     recipe::KlDiv{.target = "price", .log_target = false, .reduction = reduction},
                     logarithms, shares});
  cases.push_back(
      {"poisson_nll",
       recipe::PoissonNll{.target = "price", .log_input = true, .full = false, .eps = 1e-8},
       as_it_is, shares});
  for (const auto& weight : {std::optional<std::vector<double>>{}, std::optional(kWeights)}) {
    for (const auto& pos : {std::optional<std::vector<double>>{}, std::optional(kWeights)})
      cases.push_back(
          {"bce_with_logits",
           recipe::BceWithLogits{.target = "price", .weight = weight, .pos_weight = pos}, as_it_is,
           shares});
  }
  return cases;
}

void expect_alike(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    for (const std::int64_t samples : {32, 23}) {  // a whole window, and the last of an epoch
      const at::Tensor whole = gradient(one, samples, samples);
      CHECK(whole.scalar_type() == at::kDouble);
      CHECK(whole.abs().max().item<double>() > 1e-6);
      for (std::int64_t micro = 1; micro < samples; ++micro) {
        INFO(one.name << ", " << micro << " of " << samples);
        CHECK(gradient(one, samples, micro).sub(whole).abs().max().item<double>() <= 1e-12);
      }
    }
  }
}

}  // namespace

TEST_CASE("micro-batches of any size give one gradient of the losses of classes") {
  expect_alike(of_classes());
}

TEST_CASE("micro-batches of any size give one gradient of the losses of numbers") {
  expect_alike(of_numbers());
}

}  // namespace knead::engine::losses
