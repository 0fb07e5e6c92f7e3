#include "runner/engine/optimize/average.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "schema/load.h"
#include "tests/engine/recorded.h"
#include "tests/engine/refusal.h"

namespace knead::engine::optimize {
namespace {

using nlohmann::json;

const plan::Windows kWindows(40, 4, false);  // 10 steps an epoch

recipe::Average average_of(const std::string& said) {
  const std::string file = KNEAD_ROOT "/tests/end_to_end/recipes/digits.yaml";
  return *schema::load(file, {"average=" + said}, schema::this_world()).recipe.average;
}

NamedTensors one_weight(double value) { return {{"w", at::full({3}, value).requires_grad_()}}; }

void set(const NamedTensors& parameters, double value) {
  parameters[0].tensor.detach().fill_(value);
}

/// After which of the first 40 steps, of 40, weights are taken in.
std::vector<std::uint64_t> times(const std::string& said) {
  const NamedTensors parameters = one_weight(1);
  Average average(average_of(said), parameters, kWindows, 40);
  std::vector<std::uint64_t> steps;
  for (std::uint64_t step = 1; step <= 40; ++step) {
    const std::uint64_t before = average.count();
    average.follow(step);
    if (average.count() > before) steps.push_back(step);
  }
  return steps;
}

using Steps = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("averages are those of torch.optim.swa_utils") {
  const json recorded = Recorded("averages").cases;
  REQUIRE(recorded.at("kinds").size() == 3);
  for (const json& kind : recorded.at("kinds")) {
    INFO(kind.at("recipe"));
    NamedTensors parameters = {{"weight", at::zeros({3, 5}).requires_grad_()},
                               {"bias", at::zeros({3}).requires_grad_()}};
    Average average(average_of(kind.at("recipe").dump()), parameters, kWindows, 40);
    CHECK(average.state().empty());
    for (std::size_t step = 0; step < recorded.at("weights").size(); ++step) {
      for (auto& [name, tensor] : parameters)
        tensor.detach().copy_(tensor_of(recorded.at("weights")[step].at(name)));
      average.follow(step + 1);
      for (const auto& [name, tensor] : average.state())
        CHECK(same_bits(tensor, tensor_of(kind.at("averages")[step].at(name))));
    }
    CHECK(average.count() == recorded.at("weights").size());
  }
}

TEST_CASE("weights are taken in as often as the recipe says, from its start on") {
  CHECK(times("{type: ema}").size() == 40);
  CHECK(times("{type: ema, every: 15 steps}") == Steps{15, 30});
  CHECK(times("{type: ema, every: 15 steps, start: 50%}") == Steps{30});
  CHECK(times("{type: ema, every: 10 steps, start: 3 epochs}") == Steps{30, 40});
  CHECK(times("swa") == Steps{30, 40});
  CHECK(times("{type: swa, start: 0 steps}") == Steps{10, 20, 30, 40});
}

TEST_CASE("the averaged weights stand in the model while they are looked at") {
  const NamedTensors parameters = one_weight(1);
  Average average(average_of("{type: swa, every: 1 step, start: 0 steps}"), parameters, kWindows,
                  40);
  {
    const AveragedWeights none_yet(&average);
    CHECK(parameters[0].tensor.equal(at::full({3}, 1.0)));
  }
  average.follow(1);
  set(parameters, 4);
  average.follow(2);
  {
    const AveragedWeights averaged(&average);
    CHECK(parameters[0].tensor.equal(at::full({3}, 2.5)));
  }
  CHECK(parameters[0].tensor.equal(at::full({3}, 4.0)));
  const AveragedWeights without(nullptr);
  CHECK(parameters[0].tensor.equal(at::full({3}, 4.0)));
}

TEST_CASE("a restored average goes on with the same bits") {
  const auto recipe = average_of("{type: swa, every: 1 step, start: 0 steps}");
  const NamedTensors parameters = one_weight(0.1);
  Average whole(recipe, parameters, kWindows, 40);
  whole.follow(1);
  set(parameters, 0.7);
  whole.follow(2);
  Average restored(recipe, parameters, kWindows, 40);
  restored.restore(whole.state(), whole.count());
  set(parameters, 0.3);
  whole.follow(3);
  CHECK_FALSE(restored.state()[0].tensor.equal(whole.state()[0].tensor));  // a copy
  restored.follow(3);
  CHECK(restored.count() == 3);
  CHECK(same_bits(restored.state()[0].tensor, whole.state()[0].tensor));

  Average recounted(recipe, parameters, kWindows, 40);
  recounted.restore(whole.state(), 9);
  recounted.follow(4);
  whole.follow(4);
  set(parameters, 5);
  recounted.follow(5);
  whole.follow(5);
  CHECK_FALSE(recounted.state()[0].tensor.equal(whole.state()[0].tensor));
}

TEST_CASE("an average of another model is refused") {
  Average average(average_of("ema"), one_weight(1), kWindows, 40);
  const std::string remedy =
      " | resume with the model and the optimizer that the state is of, or start over with --fresh "
      "| 7";
  CHECK(refusal([&] {
          average.restore({{"v", at::zeros({3})}}, 1);
        }) == "the saved state of the average lacks 'w'" + remedy);
  CHECK(refusal([&] {
          average.restore({{"w", at::zeros({3})}, {"v", at::zeros({3})}}, 1);
        }) == "the saved state of the average has 'v', which belongs to nothing here" + remedy);
  CHECK(average.count() == 0);
}

TEST_CASE("a start that is a share of a time is refused") {
  CHECK(refusal([] { Average(average_of("swa"), one_weight(1), kWindows, std::nullopt); }) ==
        "average.start 75% cannot be told in steps | write it in steps or epochs | 2");
}

}  // namespace knead::engine::optimize
