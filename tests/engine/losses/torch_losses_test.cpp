// Losses that PyTorch has too, held against it; and those that recipes bring along.

#include <ATen/core/Dict.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include "tests/engine/losses/losses.h"

#include <catch2/catch.hpp>

namespace knead::engine::losses {
namespace {

using nlohmann::json;

recipe::Loss cross_entropy_of(const json& options) {
  recipe::CrossEntropy loss = cross_entropy();
  loss.ignore_index = options.at("ignore_index");
  loss.label_smoothing = options.at("label_smoothing");
  if (options.contains("class_dim")) loss.class_dim = recipe::CrossEntropy::ClassDim::last;
  if (options.contains("weight")) loss.weight = options.at("weight").get<std::vector<double>>();
  return loss;
}

void expect_recorded_loss(const std::string& kind, recipe::Loss (*options_of)(const json&)) {
  const Recorded recorded("losses");
  for (const json& each : recorded.cases.at(kind)) {
    INFO(kind << " " << each.at("options") << " " << each.at("output").at("shape"));
    const auto loss = made(options_of(each.at("options")));
    const auto [sum, gradient, weight] =
        compute(*loss, tensor_of(each.at("output")), tensor_of(each.at("target")));
    if (recorded.computes_alike) {
      CHECK(same_bits(sum, tensor_of(each.at("sum"))));
      CHECK(same_bits(gradient, tensor_of(each.at("sum_gradient"))));
    }
    CHECK(distance(sum, tensor_of(each.at("sum"))) <= 1e-6);
    CHECK(distance(sum.div(weight), tensor_of(each.at("mean"))) <= 1e-6);
    CHECK(distance(gradient.div(weight), tensor_of(each.at("mean_gradient"))) <= 1e-6);
  }
}

std::optional<std::vector<double>> numbers_in(const json& options, const char* key) {
  if (!options.contains(key)) return std::nullopt;
  return options.at(key).get<std::vector<double>>();
}

recipe::Loss nll_of(const json& options) {
  return recipe::Nll{.target = "digit",
                     .ignore_index = options.at("ignore_index"),
                     .weight = numbers_in(options, "weight"),
                     .class_dim = std::nullopt};
}
recipe::Loss mse_of(const json&) { return recipe::Mse{.target = "price"}; }
recipe::Loss l1_of(const json&) { return recipe::L1{.target = "price"}; }
recipe::Loss smooth_l1_of(const json& options) {
  return recipe::SmoothL1{.target = "price", .beta = options.at("beta")};
}
recipe::Loss huber_of(const json& options) {
  return recipe::Huber{.target = "price", .delta = options.at("delta")};
}
recipe::Loss bce_of(const json& options) {
  return recipe::BceWithLogits{.target = "price",
                               .weight = numbers_in(options, "weight"),
                               .pos_weight = numbers_in(options, "pos_weight")};
}
recipe::Loss kl_div_of(const json& options) {
  const bool by_samples = options.at("batchmean");
  return recipe::KlDiv{.target = "price",
                       .log_target = options.at("log_target"),
                       .reduction = by_samples ? recipe::KlDiv::Reduction::batchmean
                                               : recipe::KlDiv::Reduction::mean};
}
recipe::Loss poisson_nll_of(const json& options) {
  return recipe::PoissonNll{.target = "price",
                            .log_input = options.at("log_input"),
                            .full = options.at("full"),
                            .eps = options.at("eps")};
}
recipe::Loss hinge_of(const json& options) {
  return recipe::HingeEmbedding{.target = "price", .margin = options.at("margin")};
}
recipe::Loss cosine_of(const json& options) {
  return recipe::CosineEmbedding{.target = "price", .margin = options.at("margin")};
}
recipe::Loss ranking_of(const json& options) {
  return recipe::MarginRanking{.target = "price", .margin = options.at("margin")};
}

void expect_recorded_pairs(const std::string& kind, recipe::Loss (*options_of)(const json&)) {
  for (const json& each : Recorded("losses").cases.at(kind)) {
    INFO(kind << " " << each.at("options"));
    const auto loss = made(options_of(each.at("options")));
    std::vector<at::Tensor> leaves;
    for (const json& output : each.at("outputs"))
      leaves.push_back(tensor_of(output).requires_grad_());
    const at::Tensor target = tensor_of(each.at("target"));
    const Batch batch(target.size(0), {{"price", target}});
    const Part part = of(*loss, c10::ivalue::Tuple::create({leaves[0], leaves[1]}), batch);
    part.sum.backward();
    CHECK(distance(part.sum, tensor_of(each.at("sum"))) <= 1e-6);
    CHECK(distance(part.sum.div(part.weight), tensor_of(each.at("mean"))) <= 1e-6);
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(distance(leaves[i].grad(), tensor_of(each.at("sum_gradients").at(i))) <= 1e-6);
  }
}

TEST_CASE("cross entropy is torch's") { expect_recorded_loss("cross_entropy", cross_entropy_of); }
TEST_CASE("nll is torch's") { expect_recorded_loss("nll", nll_of); }
TEST_CASE("mse is torch's") { expect_recorded_loss("mse", mse_of); }
TEST_CASE("l1 is torch's") { expect_recorded_loss("l1", l1_of); }
TEST_CASE("smooth_l1 is torch's") { expect_recorded_loss("smooth_l1", smooth_l1_of); }
TEST_CASE("huber is torch's") { expect_recorded_loss("huber", huber_of); }
TEST_CASE("bce_with_logits is torch's") { expect_recorded_loss("bce_with_logits", bce_of); }
TEST_CASE("kl_div is torch's") { expect_recorded_loss("kl_div", kl_div_of); }
TEST_CASE("poisson_nll is torch's") { expect_recorded_loss("poisson_nll", poisson_nll_of); }
TEST_CASE("hinge_embedding is torch's") { expect_recorded_loss("hinge_embedding", hinge_of); }
TEST_CASE("cosine_embedding is torch's") { expect_recorded_pairs("cosine_embedding", cosine_of); }
TEST_CASE("margin_ranking is torch's") { expect_recorded_pairs("margin_ranking", ranking_of); }

recipe::Ctc ctc() {
  return {.target = "digit",
          .input_lengths = "steps",
          .target_lengths = "lengths",
          .blank = 0,
          .zero_infinity = false,
          .batch_first = false};
}

TEST_CASE("ctc is torch's, however it is laid out and cut") {
  for (const json& each : Recorded("losses").cases.at("ctc")) {
    recipe::Ctc options = ctc();
    options.blank = each.at("blank");
    options.zero_infinity = each.at("zero_infinity");
    const at::Tensor output = tensor_of(each.at("output")), target = tensor_of(each.at("target"));
    const at::Tensor steps = tensor_of(each.at("steps")), lengths = tensor_of(each.at("lengths"));
    for (const bool batch_first : {false, true}) {
      options.batch_first = batch_first;
      const auto loss = made(options);
      const at::Tensor leaf = output.clone().requires_grad_();
      double weight = 0;
      at::Tensor sum = at::zeros({}, output.options());
      for (const auto& [begin, size] : {std::pair{0, 1}, {1, 3}}) {
        const Batch batch(size, {{"digit", target.narrow(0, begin, size)},
                                 {"steps", steps.narrow(0, begin, size)},
                                 {"lengths", lengths.narrow(0, begin, size)}});
        const at::Tensor part = leaf.narrow(1, begin, size);
        const Part here = of(*loss, batch_first ? part.transpose(0, 1) : part, batch);
        sum = sum.add(here.sum);
        weight += here.weight;
      }
      sum.div(weight).backward();
      CHECK(distance(sum.div(weight), tensor_of(each.at("mean"))) <= 1e-6);
      CHECK(distance(leaf.grad(), tensor_of(each.at("mean_gradient"))) <= 1e-5);
    }
  }
}

TEST_CASE("ctc refuses what does not fit") {
  const auto refused = [](const recipe::Ctc& options, const at::Tensor& output,
                          const at::Tensor& target, std::vector<double> lengths) {
    const Batch batch(
        2, {{"digit", target}, {"steps", classes({6, 6})}, {"lengths", classes(lengths)}});
    return refusal([&] { of(*made(options), output, batch); });
  };
  const at::Tensor target = at::ones({2, 3}, at::kLong);
  CHECK(refused(ctc(), at::ones({2, 6, 5}), target, {3, 3}) ==
        "the output has the shape (2, 6, 5) for 2 samples: ctc needs (T, N, C), with more classes "
        "than the blank, 0 | write batch_first: true in loss | 3");
  CHECK(refused(ctc(), at::ones({6, 2, 5}), target, {3, 4}) ==
        "the field 'lengths' has the length 4, the target has 3 | check the data | 3");
  const at::Tensor beyond = classes({1, 5, 9, 1, 1, 1}).reshape({2, 3});
  CHECK(refused(ctc(), at::ones({6, 2, 5}), beyond, {1, 3}) == "nothing was thrown");
  CHECK(refused(ctc(), at::ones({6, 2, 5}), beyond, {2, 3}) ==
        "the target 'digit' has the class 5, but the output has 5 classes, 0 to 4 | check the data "
        "and the number of classes | 3");
  recipe::Ctc without_lengths = ctc();
  without_lengths.target_lengths.reset();
  CHECK(refused(without_lengths, at::ones({6, 2, 5}), beyond, {2, 3}) ==
        "the target 'digit' has the class 5, but the output has 5 classes, 0 to 4 | check the data "
        "and the number of classes; if shorter targets are filled up, name the field of their "
        "lengths in loss.target_lengths | 3");
  CHECK(refused(ctc(), at::ones({6, 2, 5}), at::ones({2, 3}), {3, 3}) ==
        "the target 'digit' is of float32, (2, 3): ctc needs whole numbers, (N, S) | a sample's "
        "classes are one after another, filled up at the end to the longest | 3");
}

TEST_CASE("targets that a loss of pairs or labels cannot mean are refused") {
  const auto of_numbers = [](const recipe::Loss& options, const c10::IValue& output,
                             std::vector<double> target) {
    const auto count = static_cast<std::int64_t>(target.size());
    const Batch batch(
        count,
        {{"price", tensor_of({{"dtype", "float32"}, {"shape", {count}}, {"values", target}})}});
    return refusal([&] { of(*made(options), output, batch); });
  };
  CHECK(of_numbers(bce_of({}), at::ones({2}), {1, 3}) ==
        "the target 'price' holds 3: bce_with_logits needs 0, 1 or a probability | for one of "
        "several classes take cross_entropy | 3");
  CHECK(of_numbers(hinge_of({{"margin", 1}}), at::ones({2}), {1, 0}) ==
        "the target 'price' holds 0: hinge_embedding needs 1 and -1 | write scale: 2 and offset: "
        "-1 in its field if 'price' holds 1 and 0 | 3");
  CHECK(of_numbers(cosine_of({{"margin", 0}}), at::ones({2, 3}), {1, 1}) ==
        "what forward returns is a tensor: cosine_embedding needs a tuple of two tensors | return "
        "both from forward: return first, second | 3");
  const auto two = c10::ivalue::Tuple::create({at::ones({2, 3}), at::ones({2, 4})});
  CHECK(of_numbers(cosine_of({{"margin", 0}}), two, {1, 1}) ==
        "the outputs have the shapes (2, 3) and (2, 4): cosine_embedding needs equal shapes | "
        "change the model's outputs | 3");
  recipe::BceWithLogits options{.target = "price", .weight = std::nullopt, .pos_weight = {{1, 2}}};
  CHECK(of_numbers(options, at::ones({2}), {1, 0}) ==
        "loss.pos_weight has 2 numbers, and the output 1 label | write one for each label, or one "
        "for all | 3");
}

schema::Node code(const std::string& text) { return schema::text_node(text, {}); }

recipe::Loss script(const std::string& text) {
  return recipe::ScriptLoss{.code = code(text), .target = std::nullopt};
}

TEST_CASE("a script gives a loss for each item, or the mean over its samples") {
  const std::string items =
      "def loss(output: Tensor, batch: Dict[str, Tensor]) -> Tensor:\n"
      "    return F.mse_loss(output, batch['price'], reduction='none')\n";
  const std::string mean =
      "def loss(output, batch):\n"
      "    return (output - batch['price']).square().mean()\n";
  const at::Tensor output = at::ones({3, 2}), target = at::full({3, 2}, 3.0);
  const Batch batch(3, {{"digit", classes({1, 2, 3})},
                        {"price", target},
                        {"steps", classes({1, 2, 3})},
                        {"lengths", classes({1, 2, 3})}});
  for (const auto& [text, weight] : {std::pair{items, 6.0}, {mean, 3.0}}) {
    const auto loss = made(script(text));
    CHECK(loss->fields() == kFields);
    const at::Tensor leaf = output.clone().requires_grad_();
    const Part part = of(*loss, leaf, batch);
    part.sum.backward();
    CHECK(part.weight == weight);
    CHECK(part.sum.item<double>() / part.weight == 4);
    CHECK(leaf.grad().div(part.weight).sum().item<double>() == Approx(-4));
  }
}

TEST_CASE("a script may take the tuple that forward returns") {
  const auto loss =
      made(script("def loss(output: Tuple[Tensor, Tensor], batch: Dict[str, Tensor]) -> Tensor:\n"
                  "    first, second = output\n"
                  "    return (first - second).abs().mean() * math.sqrt(4.0)\n"));
  const Batch batch(2, {{"digit", classes({1, 2})},
                        {"price", at::ones({2})},
                        {"steps", classes({1, 2})},
                        {"lengths", classes({1, 2})}});
  const Part part = of(*loss, c10::ivalue::Tuple::create({at::ones({2}), at::zeros({2})}), batch);
  CHECK(part.sum.item<double>() == 4);
}

TEST_CASE("a model may give the loss itself") {
  const auto loss = made(recipe::FromModel{.target = std::nullopt});
  const Batch batch(5, {});
  const Part part = of(*loss, at::full({}, 0.5), batch);
  CHECK(part.sum.item<double>() == 2.5);
  CHECK(part.weight == 5);
  CHECK(refusal([&] { of(*loss, at::ones({5}), batch); }) ==
        "the output has the shape (5): loss from_model needs a scalar | let forward return the "
        "mean over its samples, or choose it by model.output | 3");
}

TEST_CASE("a loss over a field that is not there is refused") {
  CHECK(refusal([] { made(recipe::Mse{.target = "prize"}); }) ==
        "the data has no field 'prize', which loss names | its fields are: digit, price, steps, "
        "lengths | 2");
}

}  // namespace
}  // namespace knead::engine::losses
