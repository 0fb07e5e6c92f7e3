#include "runner/engine/optimize/offload.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/ops/randn.h>
#include <catch2/catch.hpp>

#include "runner/engine/optimize/make_optimizer.h"
#include "schema/load.h"
#include "tests/engine/recorded.h"
#include "tests/folder.h"

namespace knead::engine::optimize {
namespace {

using Shapes = std::vector<std::vector<std::int64_t>>;

recipe::Optimizer optimizer_of(const nlohmann::json& options) {
  const std::string file = KNEAD_ROOT "/tests/end_to_end/recipes/digits.yaml";
  return schema::load(file, {"optimizer=" + options.dump()}, schema::this_world()).recipe.optimizer;
}

void seed(std::uint64_t number) {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  generator.set_current_seed(number);
}

/// Holds a model without a forward: parameters of these shapes, and an optimizer.
struct Trained {
  NamedTensors parameters;
  std::unique_ptr<Optimizer> optimizer;

  Trained(const recipe::Optimizer& options, const Shapes& shapes,
          const std::optional<OffloadPlace>& place) {
    seed(1);
    for (const std::vector<std::int64_t>& shape : shapes)
      parameters.push_back({"p" + std::to_string(parameters.size()), at::randn(shape)});
    for (auto& [name, parameter] : parameters) parameter.requires_grad_();
    optimizer = make_optimizer(options, parameters);
    if (place) optimizer->offload(*place);
  }

  void train(int begin, int end) {
    for (int step = begin; step < end; ++step) {
      seed(100 + static_cast<std::uint64_t>(step));
      for (auto& [name, parameter] : parameters)
        parameter.mutable_grad() = at::randn(parameter.sizes());
      optimizer->step(0.1, 0.5);
    }
  }
};

void expect_same_bits(const NamedTensors& a, const NamedTensors& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO(a[i].name);
    CHECK(a[i].name == b[i].name);
    CHECK(engine::same_bits(a[i].tensor, b[i].tensor));
  }
}

}  // namespace

TEST_CASE("every optimizer gives the same bits wherever its state is kept") {
  at::set_num_threads(1);
  const tests::Folder folder;
  const Shapes shapes{{300, 300}, {70}, {200, 150}};
  const nlohmann::json kinds = Recorded("optimizers").cases.at("kinds");
  for (const auto& [kind, cases] : kinds.items()) {
    for (const bool copies : {false, true}) {
      INFO(kind << (copies ? ", copied" : ""));
      const recipe::Optimizer options = optimizer_of(cases.front().at("recipe"));
      Trained beside(options, shapes, std::nullopt);
      Trained elsewhere(options, shapes, OffloadPlace{folder.path(), copies});
      beside.train(0, 2);
      elsewhere.train(0, 2);
      // Another run goes on from what the first has saved.
      Trained resumed(options, shapes, OffloadPlace{folder.path(), copies});
      for (std::size_t i = 0; i < shapes.size(); ++i)
        resumed.parameters[i].tensor.detach().copy_(elsewhere.parameters[i].tensor);
      resumed.optimizer->restore(elsewhere.optimizer->state());
      beside.train(2, 4);
      resumed.train(2, 4);
      expect_same_bits(resumed.parameters, beside.parameters);
      expect_same_bits(resumed.optimizer->state(), beside.optimizer->state());
    }
  }
}

TEST_CASE("a state that one call does not hold is updated by several") {
  const tests::Folder folder;
  // Two of the three states of Adam fill a call.
  const Shapes shapes{{1'000'000}, {1'000'000}, {1'000'000}, {10}};
  const recipe::Optimizer options = optimizer_of({{"type", "adamw"}, {"lr", 0.1}});
  Trained beside(options, shapes, std::nullopt);
  Trained elsewhere(options, shapes, OffloadPlace{folder.path()});
  beside.train(0, 3);
  elsewhere.train(0, 3);
  expect_same_bits(elsewhere.parameters, beside.parameters);
  expect_same_bits(elsewhere.optimizer->state(), beside.optimizer->state());
}

}  // namespace knead::engine::optimize
