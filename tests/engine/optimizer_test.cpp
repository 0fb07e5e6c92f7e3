#include "runner/engine/optimize/optimizer.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ones.h>
#include <catch2/catch.hpp>

#include "schema/error.h"
#include "tests/engine/recorded.h"
#include "tests/engine/refusal.h"

namespace knead::engine::optimize {
namespace {

using nlohmann::json;

recipe::Optimizer adamw_of(const json& options) {
  return recipe::AdamW{.lr = 1,
                       .betas = options.at("betas"),
                       .eps = options.at("eps"),
                       .weight_decay = options.at("weight_decay"),
                       .amsgrad = options.at("amsgrad")};
}

recipe::Optimizer sgd_of(const json& options) {
  return recipe::Sgd{.lr = 1,
                     .momentum = options.at("momentum"),
                     .dampening = options.at("dampening"),
                     .weight_decay = options.at("weight_decay"),
                     .nesterov = options.at("nesterov")};
}

const recipe::AdamW kAdamW{
    .lr = 1, .betas = {0.9, 0.999}, .eps = 1e-8, .weight_decay = 0.01, .amsgrad = true};
const recipe::Sgd kSgd{
    .lr = 1, .momentum = 0.9, .dampening = 0, .weight_decay = 0, .nesterov = true};

/// The run that was recorded: its parameters, and the gradients of its steps.
class Run {
 public:
  Run(const recipe::Optimizer& options, at::ScalarType dtype) : recorded_("optimizers") {
    for (const auto& [name, weights] : recorded_.cases.at("weights").items())
      parameters_.push_back({name, tensor_of(weights).to(dtype)});
    for (auto& [name, parameter] : parameters_) parameter.requires_grad_();
    optimizer_ = make_optimizer(options, parameters_);
  }

  void step(std::size_t number, double scale = 1) {
    const json& step = recorded_.cases.at("steps").at(number);
    for (auto& [name, parameter] : parameters_) {
      const json& gradients = step.at("gradients");
      parameter.mutable_grad() = gradients.contains(name)
                                     ? tensor_of(gradients.at(name)).to(parameter.scalar_type())
                                     : at::Tensor();
    }
    optimizer_->step(step.at("lr"), scale);
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

/// AVX2 and AVX512 give the same bits; without them products are rounded before they are added.
bool has_recorded_kernels() { return at::get_cpu_capability() != "DEFAULT"; }

void expect_recorded(const NamedTensors& ours, const json& recorded) {
  REQUIRE(ours.size() == recorded.size());
  for (const auto& [name, tensor] : ours) {
    INFO(name);
    const at::Tensor theirs = tensor_of(recorded.at(name));
    if (has_recorded_kernels()) {
      CHECK(engine::same_bits(tensor, theirs));
    } else {
      CHECK(distance(tensor, theirs) <= 1e-6);
    }
  }
}

void expect_ten_steps(const std::string& kind, recipe::Optimizer (*options_of)(const json&)) {
  at::set_num_threads(1);
  const json cases = Recorded("optimizers").cases.at(kind);
  REQUIRE(cases.size() >= 10);
  for (const json& each : cases) {
    INFO(kind << " " << each.at("options") << " " << each.at("dtype") << " divided by "
              << each.at("divisor"));
    Run run(options_of(each.at("options")),
            each.at("dtype") == "float64" ? at::kDouble : at::kFloat);
    const double scale = 1 / each.at("divisor").get<double>();
    run.step(0, scale);
    expect_recorded(run.weights(), each.at("after_first"));
    run.steps(1, 10, scale);
    expect_recorded(run.weights(), each.at("weights"));
    expect_recorded(run.optimizer().state(), each.at("state"));
  }
}

TEST_CASE("ten steps of adamw are those of torch.optim.AdamW") {
  expect_ten_steps("adamw", adamw_of);
}

TEST_CASE("ten steps of sgd are those of torch.optim.SGD") { expect_ten_steps("sgd", sgd_of); }

TEST_CASE("a scale is as good as scaled gradients") {
  for (const recipe::Optimizer& options : {recipe::Optimizer(kAdamW), recipe::Optimizer(kSgd)}) {
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
      NamedTensors scaled = {{"w", at::ones({5}, dtype)}}, plain = {{"w", at::ones({5}, dtype)}};
      const auto by_scale = make_optimizer(options, scaled);
      const auto by_hand = make_optimizer(options, plain);
      for (int step = 0; step < 3; ++step) {
        scaled[0].tensor.mutable_grad() = at::full({5}, 3 + step, dtype);
        plain[0].tensor.mutable_grad() = at::full({5}, 3 + step, dtype).mul(0.7);
        by_scale->step(0.1, 0.7);
        by_hand->step(0.1, 1);
      }
      CHECK(distance(scaled[0].tensor, plain[0].tensor) <= (dtype == at::kDouble ? 1e-15 : 1e-6));
    }
  }
}

TEST_CASE("a restored optimizer goes on with the same bits, and needs all of its state") {
  for (const recipe::Optimizer& options : {recipe::Optimizer(kAdamW), recipe::Optimizer(kSgd)}) {
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

    REQUIRE(state.size() >= 4);
    for (std::size_t i = 0; i < state.size(); ++i) {
      INFO(state[i].name);
      NamedTensors changed = copy_of(state);
      changed[i].tensor.mul_(3).add_(1);
      CHECK_FALSE(same_bits(continued(changed).weights(), whole.weights()));
      NamedTensors less = state;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      if (std::holds_alternative<recipe::Sgd>(options)) {
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
              .allclose(at::full({3}, 1 - 0.25 * 1.9 * 2, at::kDouble), name == "d" ? 1e-2 : 1e-6));
}

}  // namespace
}  // namespace knead::engine::optimize
