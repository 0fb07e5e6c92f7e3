#include "runner/engine/optimize/make_optimizer.h"

#include <algorithm>

#include <ATen/Parallel.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ones.h>
#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "schema/load.h"
#include "tests/engine/recorded.h"
#include "tests/engine/refusal.h"

namespace knead::engine::optimize {
namespace {

using nlohmann::json;

/// The optimizer that a recipe says, as JSON, which is YAML too.
recipe::Optimizer optimizer_of(const json& said) {
  const std::string file = KNEAD_ROOT "/tests/end_to_end/recipes/digits.yaml";
  return schema::load(file, {"optimizer=" + said.dump()}, schema::this_world()).recipe.optimizer;
}

const recipe::Optimizer kAdamW = optimizer_of({{"type", "adamw"}, {"lr", 1}, {"amsgrad", true}});
const recipe::Optimizer kSgd =
    optimizer_of({{"type", "sgd"}, {"lr", 1}, {"momentum", 0.9}, {"nesterov", true}});

/// The run that was recorded: its parameters, and the gradients of its steps.
class Run {
 public:
  Run(const recipe::Optimizer& options, at::ScalarType dtype) : recorded_("optimizers") {
    for (const auto& [name, weights] : recorded_.cases.at("weights").items())
      parameters_.push_back({name, tensor_of(weights).to(dtype)});
    for (auto& [name, parameter] : parameters_) parameter.requires_grad_();
    optimizer_ = make_optimizer(options, parameters_);
  }

  /// `times`: what the recorded gradients are multiplied with before.
  void step(std::size_t number, double scale = 1, double times = 1) {
    const json& step = recorded_.cases.at("steps").at(number);
    for (auto& [name, parameter] : parameters_) {
      const json& gradients = step.at("gradients");
      parameter.mutable_grad() =
          gradients.contains(name)
              ? tensor_of(gradients.at(name)).to(parameter.scalar_type()).mul_(times)
              : at::Tensor();
    }
    optimizer_->step(step.at("factor"), scale);
  }

  void steps(std::size_t begin, std::size_t end, double scale = 1) {
    for (std::size_t i = begin; i < end; ++i) step(i, scale);
  }

  NamedTensors weights() const {
    NamedTensors out;
    for (const auto& [name, parameter] : parameters_)
      out.push_back({name, parameter.detach().clone()});
    return out;
  }

  void set_weights(const NamedTensors& weights) {
    for (std::size_t i = 0; i < weights.size(); ++i)
      parameters_[i].tensor.detach().copy_(weights[i].tensor);
  }

  Optimizer& optimizer() { return *optimizer_; }

 private:
  Recorded recorded_;
  NamedTensors parameters_;
  std::unique_ptr<Optimizer> optimizer_;
};

NamedTensors copy_of(const NamedTensors& tensors) {
  NamedTensors out;
  for (const auto& [name, tensor] : tensors) out.push_back({name, tensor.clone()});
  return out;
}

bool same_bits(const NamedTensors& a, const NamedTensors& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].name != b[i].name || !engine::same_bits(a[i].tensor, b[i].tensor)) return false;
  }
  return true;
}

/// Kinds that torch has not, recorded from their papers' formulas in another order of operations.
bool is_torchs(const std::string& kind) { return kind != "lion" && kind != "lamb"; }

void expect_recorded(const NamedTensors& ours, const json& recorded, bool to_the_bit) {
  REQUIRE(ours.size() == recorded.size());
  for (const auto& [name, tensor] : ours) {
    INFO(name);
    const at::Tensor theirs = tensor_of(recorded.at(name));
    if (to_the_bit) {
      CHECK(engine::same_bits(tensor, theirs));
    } else {
      CHECK(
          (distance(tensor, theirs) <= 1e-6 || is_within_bound(tensor, theirs, recorded.at(name))));
    }
  }
}

void expect_ten_steps(const std::string& kind, const json& each, bool computes_alike) {
  INFO(each.at("recipe") << " " << each.at("dtype") << " divided by " << each.at("divisor"));
  Run run(optimizer_of(each.at("recipe")), dtype_of(each.at("dtype")));
  const double divisor = each.at("divisor");
  // Ours multiply by what theirs divide by, or divide in a kernel. Muon's steps in bfloat16 end in
  // float16 another way.
  const bool is_other = kind == "muon" && each.at("dtype") == "float16";
  const bool to_the_bit = computes_alike && is_torchs(kind) && divisor == 1 && !is_other;
  run.step(0, 1 / divisor);
  expect_recorded(run.weights(), each.at("after_first"), to_the_bit);
  run.steps(1, 10, 1 / divisor);
  expect_recorded(run.weights(), each.at("weights"), to_the_bit);
  expect_recorded(run.optimizer().state(), each.at("state"), to_the_bit);
  CHECK(std::int64_t(run.optimizer().state_bytes()) == count_bytes(run.optimizer().state()));
}

TEST_CASE("ten updates of every optimizer are torch.optim's, with groups and without") {
  at::set_num_threads(1);
  const Recorded recorded("optimizers");
  const json& kinds = recorded.cases.at("kinds");
  REQUIRE(kinds.size() == std::variant_size_v<recipe::Optimizer>);
  for (const auto& [kind, cases] : kinds.items()) {
    REQUIRE(cases.size() >= 5);
    for (const json& each : cases) expect_ten_steps(kind, each, recorded.computes_alike);
  }
}

/// Every recorded recipe in float32.
std::vector<recipe::Optimizer> every_recipe() {
  std::vector<recipe::Optimizer> recipes;
  const json kinds = Recorded("optimizers").cases.at("kinds");
  for (const json& cases : kinds) {
    for (const json& each : cases) {
      if (each.at("dtype") == "float32" && each.at("divisor") == 1)
        recipes.push_back(optimizer_of(each.at("recipe")));
    }
  }
  return recipes;
}

TEST_CASE("a scale is as good as scaled gradients") {
  for (const recipe::Optimizer& options : every_recipe()) {
    INFO("kind " << options.index());
    const bool is_coarse = std::holds_alternative<recipe::Muon>(options);  // in bfloat16
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
      Run scaled(options, dtype), plain(options, dtype);
      for (std::size_t i = 0; i < 4; ++i) {
        scaled.step(i, 0.7);
        plain.step(i, 1, 0.7);
      }
      const NamedTensors a = scaled.weights(), b = plain.weights();
      const double bound = is_coarse ? 1e-2 : dtype == at::kDouble ? 1e-14 : 1e-6;
      for (std::size_t i = 0; i < a.size(); ++i) CHECK(distance(a[i].tensor, b[i].tensor) <= bound);
    }
  }
}

TEST_CASE("a restored optimizer goes on with the same bits, and needs all of its state") {
  const auto recipes = every_recipe();
  REQUIRE(recipes.size() >= 40);
  for (const recipe::Optimizer& options : recipes) {
    Run whole(options, at::kFloat);
    whole.steps(0, 5);
    const NamedTensors weights = whole.weights(), state = copy_of(whole.optimizer().state());
    whole.steps(5, 10);

    const auto continued = [&](const NamedTensors& saved) {
      Run run(options, at::kFloat);
      run.set_weights(weights);
      run.optimizer().restore(saved);
      run.steps(5, 10);
      return run;
    };
    Run restored = continued(state);
    CHECK(same_bits(restored.weights(), whole.weights()));
    CHECK(same_bits(restored.optimizer().state(), whole.optimizer().state()));

    for (std::size_t i = 0; i < state.size(); ++i) {
      INFO("kind " << options.index() << " " << state[i].name);
      NamedTensors less = state;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      if (state[i].name.ends_with("/momentum_buffer") || state[i].name.ends_with("/exp_avg")) {
        NamedTensors changed = copy_of(state);
        changed[i].tensor.mul_(3).add_(1);
        CHECK_FALSE(same_bits(continued(changed).weights(), whole.weights()));
      }
      // A piece that is all there is of a parameter may be missing: it has had no gradient.
      const auto of_the_same = [&](const NamedTensor& other) {
        return other.name.starts_with(state[i].name.substr(0, state[i].name.find('/') + 1));
      };
      if (std::count_if(state.begin(), state.end(), of_the_same) == 1) {
        CHECK_FALSE(same_bits(continued(less).weights(), whole.weights()));
      } else {
        CHECK_THROWS_AS(continued(less), Error);
      }
    }
  }
}

TEST_CASE("restoring takes copies, and forgets what was there") {
  Run run(kSgd, at::kFloat);
  run.steps(0, 1);
  NamedTensors saved = copy_of(run.optimizer().state());
  run.optimizer().restore(saved);
  saved[0].tensor.zero_();
  CHECK_FALSE(engine::same_bits(run.optimizer().state()[0].tensor, saved[0].tensor));
  run.optimizer().restore({});
  CHECK(run.optimizer().state().empty());
}

TEST_CASE("a state that does not fit is refused by name, and changes nothing") {
  Run run(kAdamW, at::kFloat);
  run.steps(0, 1);
  const NamedTensors before = copy_of(run.optimizer().state());
  const std::string remedy =
      " | resume with the model and the optimizer that the state is of, or start over with --fresh "
      "| 7";
  const auto refused = [&](const NamedTensors& saved) {
    return refusal([&] { run.optimizer().restore(saved); });
  };
  REQUIRE(before[1].name == "head.weight/exp_avg_sq");

  NamedTensors saved = before;
  saved.erase(saved.begin() + 1);
  CHECK(refused(saved) ==
        "the saved state of the optimizer lacks 'head.weight/exp_avg_sq'" + remedy);
  saved = before;
  saved[1].tensor = at::ones({2, 19});
  CHECK(refused(saved) ==
        "the saved state of the optimizer has 'head.weight/exp_avg_sq' as float32 of the shape (2, "
        "19), "
        "not as float32 of the shape (1, 19)" +
            remedy);
  saved[1].tensor = at::ones({1, 19}, at::kDouble);
  CHECK(refused(saved) ==
        "the saved state of the optimizer has 'head.weight/exp_avg_sq' as float64 of the shape (1, "
        "19), "
        "not as float32 of the shape (1, 19)" +
            remedy);
  saved = before;
  saved.push_back({"tail.weight/exp_avg", at::ones({1})});
  CHECK(
      refused(saved) ==
      "the saved state of the optimizer has 'tail.weight/exp_avg', which belongs to nothing here" +
          remedy);
  CHECK(same_bits(run.optimizer().state(), before));
}

TEST_CASE("gradients and parameters may lie in memory as they like, but not with gaps") {
  const at::Tensor wide = at::ones({4, 6});
  CHECK(refusal([&] {
          make_optimizer(kSgd, {{"w", wide.narrow(1, 0, 3)}});
        }) ==
        "the parameter 'w' is a view with gaps | make it of a tensor of its own: "
        "nn.Parameter(t.contiguous()) | 3");

  const at::Tensor gradient =
      tensor_of({{"dtype", "float32"}, {"shape", {2, 3}}, {"values", {1, 2, 3, 4, 5, 6}}});
  NamedTensors turned = {{"w", at::ones({3, 2}).t()}}, plain = {{"w", at::ones({2, 3})}};
  turned[0].tensor.mutable_grad() = gradient;
  plain[0].tensor.mutable_grad() = gradient.clone();
  make_optimizer(kAdamW, turned)->step(0.1, 1);
  make_optimizer(kAdamW, plain)->step(0.1, 1);
  CHECK(turned[0].tensor.equal(plain[0].tensor));
}

TEST_CASE("a sparse gradient is refused") {
  NamedTensors parameters = {{"token.weight", at::ones({3, 2}).requires_grad_()}};
  const auto optimizer = make_optimizer(kSgd, parameters);
  parameters[0].tensor.mutable_grad() = at::ones({3, 2}).to_sparse();
  CHECK(refusal([&] { optimizer->step(0.1, 1); }) ==
        "the gradient of 'token.weight' is sparse, and training takes dense ones only | leave "
        "sparse=True out of the layer | 3");
}

TEST_CASE("parameters of several types are updated alike") {
  NamedTensors parameters = {{"a", at::ones({3})},
                             {"b", at::ones({3}, at::kDouble)},
                             {"c", at::ones({3})},
                             {"d", at::ones({3}, at::kBFloat16)}};
  for (auto& [name, parameter] : parameters) parameter.mutable_grad() = at::full_like(parameter, 2);
  make_optimizer(kSgd, parameters)->step(0.25, 1);
  // Nesterov's first step: 1.9 times the gradient.
  for (const auto& [name, parameter] : parameters)
    CHECK(parameter.to(at::kDouble)
              .allclose(at::full({3}, 1 - 0.25 * 1.9 * 2, at::kDouble), 1e-6,
                        name == "d" ? 0.004 : 1e-8));  // bfloat16 rounds 0.95 to 1/256
}

}  // namespace
}  // namespace knead::engine::optimize
