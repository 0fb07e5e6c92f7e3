#include "runner/engine/optimize/groups.h"

#include <ATen/ops/ones.h>
#include <catch2/catch.hpp>

#include "runner/engine/optimize/make_optimizer.h"
#include "schema/load.h"
#include "tests/engine/refusal.h"

namespace knead::engine::optimize {
namespace {

/// A small transformer's parameters.
NamedTensors parameters() {
  NamedTensors out;
  for (const char* name : {"token.weight", "blocks.0.attention.weight", "head.weight"})
    out.push_back({name, at::ones({4, 3}).requires_grad_()});
  for (const char* name : {"blocks.0.attention.bias", "blocks.0.norm.weight", "head.bias"})
    out.push_back({name, at::ones({4}).requires_grad_()});
  return out;
}

std::unique_ptr<Optimizer> optimizer_with(const std::string& recipe,
                                          const NamedTensors& for_these) {
  const std::string file = KNEAD_ROOT "/tests/end_to_end/recipes/digits.yaml";
  const auto loaded = schema::load(file, {"optimizer=" + recipe}, schema::this_world());
  return make_optimizer(loaded.recipe.optimizer, for_these);
}

/// How a list of groups is refused.
std::string refused(const std::string& groups) {
  return refusal(
      [&] { optimizer_with("{type: adamw, lr: 1, groups: " + groups + "}", parameters()); });
}

/// The weights after one update by gradients of 1 with SGD.
std::vector<double> updated(const std::string& groups) {
  NamedTensors all = parameters();
  const auto sgd = optimizer_with("{type: sgd, lr: 1, groups: " + groups + "}", all);
  for (auto& [name, tensor] : all) tensor.mutable_grad() = at::ones(tensor.sizes());
  sgd->step(0.5, 1);
  std::vector<double> values;
  for (auto& [name, tensor] : all)
    values.push_back(tensor.detach().reshape({-1})[0].item<double>());
  return values;
}

using Values = std::vector<double>;

}  // namespace

TEST_CASE("the first group that fits a parameter has it, with its own rate") {
  CHECK(updated("[]") == Values{0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
  // token.weight, attention.weight, head.weight, attention.bias, norm.weight, head.bias
  CHECK(updated("[{match: 'head.*', lr_scale: 0.5}, {ndim_below: 2, lr: 0.25}]") ==
        Values{0.5, 0.5, 0.75, 0.875, 0.875, 0.75});
  CHECK(updated("[{ndim_at_least: 2, match: 'blocks.*', weight_decay: 1}]") ==
        Values{0.5, 0, 0.5, 0.5, 0.5, 0.5});
}

TEST_CASE("a group may name a tied weight by either of its names") {
  const NamedTensors all{{"token.weight", at::ones({4, 3})}, {"norm.weight", at::ones({3})}};
  const std::vector<Names> names{{"token.weight", "head.weight"}, {"norm.weight"}};
  CHECK(assign({{"head.*", {}, {}}}, all, names) == std::vector<std::size_t>{0, 1});
  CHECK(assign({{"token.*", {}, {}}}, all, names) == std::vector<std::size_t>{0, 1});
  CHECK(refusal([&] {
          assign({{"heads.weight", {}, {}}}, all, names);
        }) ==
        "optimizer.groups.0 (match 'heads.weight') fits no parameter | did you mean "
        "'head.weight'? | 2");
}

TEST_CASE("a group says how much it holds") {
  const auto sizes = optimizer_with(
                         "{type: adamw, lr: 1, groups: [{match: 'head.*', ndim_below: 2, lr: 3}, "
                         "{ndim_at_least: 2, weight_decay: 0.1}]}",
                         parameters())
                         ->sizes();
  REQUIRE(sizes.size() == 3);
  CHECK(sizes[0].words == "match 'head.*', ndim_below 2");
  CHECK(sizes[0].parameters == 1);
  CHECK(sizes[0].numbers == 4);
  CHECK(sizes[1].words == "ndim_at_least 2");
  CHECK(sizes[1].parameters == 3);
  CHECK(sizes[1].numbers == 36);
  CHECK(sizes[2].words.empty());
  CHECK(sizes[2].parameters == 2);
}

TEST_CASE("a group that fits nothing is refused, with what it may have meant") {
  CHECK(refused("[{ndim_below: 2}, {match: '*.bais'}]") ==
        "optimizer.groups.1 (match '*.bais') fits no parameter | did you mean "
        "'blocks.0.attention.bias', 'head.bias'? | 2");
  CHECK(refused("[{match: 'encoder.layer.11.output.dense.weight'}]") ==
        "optimizer.groups.0 (match 'encoder.layer.11.output.dense.weight') fits no parameter | "
        "there is 'token.weight', 'blocks.0.attention.weight', 'head.weight', "
        "'blocks.0.attention.bias' …; knead plan lists them all | 2");
  CHECK(refused("[{ndim_at_least: 3}]") ==
        "optimizer.groups.0 (ndim_at_least 3) fits no parameter | there is 'token.weight', "
        "'blocks.0.attention.weight', 'head.weight', 'blocks.0.attention.bias' …; knead plan "
        "lists them all | 2");
}

TEST_CASE("a group that others leave nothing is refused") {
  CHECK(refused("[{ndim_below: 2}, {match: '*.bias'}]") ==
        "optimizer.groups.1 (match '*.bias') is left with no parameter: groups before it have all "
        "that it fits | the first group that fits has a parameter: write the narrower group first "
        "| 2");
}

TEST_CASE("muon refuses what is no matrix, and leaves it to AdamW") {
  CHECK(refusal([] { optimizer_with("{type: muon, lr: 1}", parameters()); }) ==
        "muon is for matrices, and 'blocks.0.attention.bias' has 1 dimension | give such "
        "parameters a group with AdamW, as in optimizer.groups: [{ndim_below: 2, lr: 1e-3, adamw: "
        "{}}] | 2");
  NamedTensors all = parameters();
  const auto muon =
      optimizer_with("{type: muon, lr: 1, groups: [{ndim_below: 2, lr: 1e-3, adamw: {}}]}", all);
  for (auto& [name, tensor] : all) tensor.mutable_grad() = at::ones(tensor.sizes());
  muon->step(1, 1);
  NamedTensors state = muon->state();
  CHECK(state[0].name == "token.weight/momentum_buffer");
  CHECK(state[3].name == "blocks.0.attention.bias/exp_avg");
}

}  // namespace knead::engine::optimize
