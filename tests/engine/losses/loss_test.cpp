#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include "tests/engine/losses/losses.h"

#include <catch2/catch.hpp>

namespace knead::engine::losses {
namespace {

using nlohmann::json;

TEST_CASE("a loss does not depend on how its batch was cut") {
  recipe::CrossEntropy options = cross_entropy();
  options.ignore_index = 2;
  options.weight = {1, 0.5, 2, 0.25, 3};
  options.label_smoothing = 0.1;
  const auto loss = made(options);
  const json whole = Recorded("losses").cases.at("cross_entropy").at(0);
  const at::Tensor output = tensor_of(whole.at("output")), target = classes({0, 2, 4, 1, 2, 2, 3});
  const Computed all = compute(*loss, output, target);
  CHECK(all.weight == 1 + 3 + 0.5 + 0.25);
  double sum = 0, weight = 0;
  for (const auto& [begin, size] : {std::pair{0, 3}, {3, 1}, {4, 2}, {6, 1}}) {
    const Computed part =
        compute(*loss, output.narrow(0, begin, size), target.narrow(0, begin, size));
    sum += part.sum.item<double>();
    weight += part.weight;
    CHECK(distance(part.gradient, all.gradient.narrow(0, begin, size)) <= 1e-6);
  }
  CHECK(weight == all.weight);
  CHECK(sum == Approx(all.sum.item<double>()).epsilon(1e-6));
}

TEST_CASE("where all is ignored, loss and weight are 0") {
  recipe::CrossEntropy options = cross_entropy();
  options.ignore_index = -1;
  const Computed computed = compute(*made(options), at::ones({2, 3}), classes({-1, -1}));
  CHECK(computed.weight == 0);
  CHECK(computed.sum.item<double>() == 0);
  CHECK(computed.gradient.equal(at::zeros({2, 3})));
}

TEST_CASE("a rank without samples adds nothing") {
  const at::Tensor none = at::zeros({0}, at::kLong);
  const Computed of_classes = compute(*made(cross_entropy()), at::ones({0, 3}), none);
  CHECK(of_classes.weight == 0);
  CHECK(of_classes.sum.item<double>() == 0);
  const Computed of_numbers =
      compute(*made(recipe::Mse{.target = "price"}), at::ones({0, 1}), none);
  CHECK(of_numbers.weight == 0);
  CHECK(of_numbers.sum.item<double>() == 0);
}

TEST_CASE("whole numbers of any type, and truth values, are classes") {
  const auto loss = made(cross_entropy());
  const at::Tensor output =
      tensor_of({{"dtype", "float32"}, {"shape", {2, 2}}, {"values", {1, 2, 4, 3}}});
  const at::Tensor expected = compute(*loss, output, classes({1, 0})).sum;
  for (const at::ScalarType type : {at::kBool, at::kByte, at::kInt})
    CHECK(compute(*loss, output, classes({1, 0}).to(type)).sum.equal(expected));
}

TEST_CASE("mse takes a column for a list of numbers, and targets of other types") {
  const auto loss = made(recipe::Mse{.target = "price"});
  const at::Tensor output =
      tensor_of({{"dtype", "float32"}, {"shape", {3, 1}}, {"values", {1, 2, 4}}});
  const at::Tensor target = classes({2, 4, 1});
  for (const at::Tensor& each : {target, target.unsqueeze(1), target.to(at::kDouble)}) {
    const Computed computed = compute(*loss, output, each);
    CHECK(computed.sum.item<double>() == 1 + 4 + 9);
    CHECK(computed.sum.scalar_type() == at::kFloat);
    CHECK(computed.weight == 3);
  }
  CHECK(compute(*loss, output.squeeze(1), target.unsqueeze(1)).sum.item<double>() == 14);
}

TEST_CASE("mse refuses shapes that torch would broadcast") {
  const recipe::Loss mse = recipe::Mse{.target = "price"};
  const std::string remedy = " | change the model's output or the columns of the field 'price' | 3";
  CHECK(refusal_of(mse, at::ones({32, 10}), at::ones({32, 4})) ==
        "the output has the shape (32, 10), the target 'price' (32, 4): mse needs equal shapes" +
            remedy);
  CHECK(refusal_of(mse, at::ones({32, 10}), at::ones({32})) ==
        "the output has the shape (32, 10), the target 'price' (32): mse needs equal shapes" +
            remedy);
  CHECK(refusal_of(mse, at::ones({32, 1}), at::ones({1})) ==
        "the output has the shape (32, 1), the target 'price' (1): mse needs equal shapes" +
            remedy);
}

TEST_CASE("cross entropy refuses shapes that do not fit") {
  const recipe::Loss loss = cross_entropy();
  const auto zeros = [](at::IntArrayRef shape) { return at::zeros(shape, at::kLong); };
  CHECK(refusal_of(loss, at::ones({32, 10}), zeros({32, 4})) ==
        "the output has the shape (32, 10), the target 'digit' (32, 4): cross_entropy needs a "
        "class for "
        "each item, (32) | change the model's output or the columns of the field 'digit' | 3");
  CHECK(refusal_of(loss, at::ones({32, 10}), zeros({32, 1})) ==
        "the output has the shape (32, 10), the target 'digit' (32, 1): cross_entropy needs a "
        "class for "
        "each item, (32) | write `shape: []` for the field 'digit', so that a sample has one class "
        "| 3");
  CHECK(refusal_of(loss, at::ones({80, 50}), zeros({8, 10})) ==
        "the output has the shape (80, 50), the target 'digit' (8, 10): cross_entropy needs a "
        "class for each item, (80) | return (8, 10, 50), whose dimensions the model has joined, as "
        "view or flatten does | 3");
  CHECK(
      refusal_of(loss, at::ones({32, 1}), zeros({32})) ==
      "the output has the shape (32, 1), the target 'digit' (32): cross_entropy needs (N, C, …), a "
      "score for each of two or more classes | give the model an output for each class | 3");
  CHECK(refusal_of(loss, at::ones({32}), zeros({32})) ==
        "the output has the shape (32), the target 'digit' (32): cross_entropy needs (N, C, …), a "
        "score for each of two or more classes | give the model an output for each class | 3");
  CHECK(
      refusal_of(loss, at::ones({32, 10}), at::ones({32})) ==
      "the output has the shape (32, 10), the target 'digit', of float32, (32): cross_entropy "
      "needs "
      "whole numbers for classes, equal shapes for probabilities | if 'digit' holds classes, write "
      "dtype: int64 in its field | 3");
}

TEST_CASE("cross entropy takes the scores of language models, with the classes last") {
  const auto with = [&](at::IntArrayRef shape) { return at::ones(shape); };
  const auto zeros = [](at::IntArrayRef shape) { return at::zeros(shape, at::kLong); };
  recipe::CrossEntropy options = cross_entropy();
  for (const auto& [output, target] : {std::pair{with({2, 3, 5}), zeros({2, 3})},
                                       {with({2, 1, 5}), zeros({2, 1})},
                                       {with({2, 3, 4, 5}), zeros({2, 3, 4})}}) {
    const Computed last = compute(*made(options), output, target);
    const Computed flat = compute(*made(options), output.reshape({-1, 5}), target.reshape(-1));
    CHECK(same_bits(last.sum, flat.sum));
    CHECK(same_bits(last.gradient.reshape({-1, 5}), flat.gradient));
    CHECK(last.weight == static_cast<double>(target.numel()));
  }
  CHECK(refusal_of(options, with({12, 64, 64}), zeros({12, 64})) ==
        "the output has the shape (12, 64, 64), the target 'digit' (12, 64): the classes may be in "
        "the second or in the last dimension | write class_dim: last for scores (N, …, C), second "
        "for (N, C, …) | 3");
  options.class_dim = recipe::CrossEntropy::ClassDim::last;
  CHECK(refusal_of(options, with({12, 64, 64}), zeros({12, 64})) == "nothing was thrown");
  CHECK(refusal_of(options, with({12, 65, 64}), zeros({12, 64})) ==
        "the output has the shape (12, 65, 64), the target 'digit' (12, 64): cross_entropy needs a "
        "class for each item, (12, 65) | write class_dim: second | 3");
}

TEST_CASE("a class that the output does not have is refused") {
  recipe::CrossEntropy options = cross_entropy();
  const std::string remedy =
      " | check the data and the number of classes; if 10 marks what does not count, write "
      "ignore_index: 10 in loss | 3";
  const std::string message =
      "the target 'digit' has the class 10, but the output has 10 classes, 0 to 9";
  CHECK(refusal_of(options, at::ones({3, 10}), classes({9, 10, 11})) == message + remedy);
  CHECK(
      refusal_of(options, at::ones({1, 3}), classes({-1})) ==
      "the target 'digit' has the class -1, but the output has 3 classes, 0 to 2 | check the data "
      "and "
      "the number of classes; if -1 marks what does not count, write ignore_index: -1 in loss | 3");
}

TEST_CASE("class weights and ignored classes must make sense") {
  recipe::CrossEntropy options = cross_entropy();
  options.weight = {1, 2, 3};
  CHECK(refusal_of(options, at::ones({1, 10}), classes({0})) ==
        "loss.weight has 3 numbers, and the output 10 classes | write a weight for each class | 3");
  options = cross_entropy();
  options.ignore_index = 0;
  CHECK(refusal_of(options, at::ones({2, 3}), at::ones({2, 3})) ==
        "the target 'digit' holds probabilities, of which loss.ignore_index: 0 cannot leave any "
        "out | "
        "leave out loss.ignore_index | 3");
}

}  // namespace
}  // namespace knead::engine::losses
