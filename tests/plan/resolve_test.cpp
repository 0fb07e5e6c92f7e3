#include "runner/plan/resolve.h"

#include <catch2/catch.hpp>

#include "tests/schema/world.h"

using namespace knead;

namespace {

recipe::Recipe loaded(const std::vector<std::string>& overrides) {
  const tests::FakeWorld world{{{"/here/r.yaml", tests::kGoodRecipe}, {"/here/mlp.py", ""}}, {}};
  return schema::load("r.yaml", overrides, world.world()).recipe;
}

recipe::Recipe resolved(const std::vector<std::string>& overrides,
                        const plan::Machine& machine = {4, false, "/here"}) {
  recipe::Recipe recipe = loaded(overrides);
  plan::resolve(recipe, machine);
  return recipe;
}

}  // namespace

TEST_CASE("defaults that follow from other keys are filled in") {
  const recipe::Recipe recipe = resolved({"export=torchscript", "schedule=cosine"});
  CHECK(recipe.batch.micro == 32);
  CHECK(recipe.evaluate.batch == 32);
  CHECK(recipe.deterministic == true);
  CHECK(recipe.output == "/here/runs");
  CHECK(recipe.checkpoint.keep.best == 1);
  CHECK(recipe.export_->weights == recipe::Export::Weights::best);
  CHECK(std::get<recipe::CosineSchedule>(recipe.schedule).over ==
        schema::Quantity{20, schema::Unit::epochs});
}

TEST_CASE("what is written is left alone") {
  const recipe::Recipe recipe =
      resolved({"batch.micro=8", "threads=2", "deterministic=false", "evaluate.batch=297"});
  CHECK(recipe.batch.micro == 8);
  CHECK(recipe.evaluate.batch == 297);
  CHECK(recipe.threads == 2);
  CHECK(recipe.deterministic == false);
}

TEST_CASE("ranks divide a batch, and what is evaluated at once does not depend on them") {
  CHECK(resolved({"distributed=3"}).batch.micro == 11);
  CHECK(resolved({"distributed=3"}).evaluate.batch == 32);
  CHECK(resolved({"distributed=2", "batch.micro=8"}).batch.micro == 8);
  CHECK(resolved({"distributed=2", "batch.micro=8"}).evaluate.batch == 8);
}

TEST_CASE("auto asks for the default") {
  const recipe::Recipe recipe = resolved({"threads=auto", "deterministic=auto"});
  CHECK_FALSE(recipe.threads);
  CHECK(recipe.deterministic == true);
}

TEST_CASE("ranks are as many as the GPUs that a recipe asks for") {
  const plan::Machine gpus{4, false, "/here", /*gpus=*/8};
  CHECK(resolved({}).distributed.ranks == 1);
  CHECK(resolved({}, gpus).distributed.ranks == 1);  // device: auto is the CPU
  CHECK(resolved({"device=cuda"}, gpus).distributed.ranks == 8);
  CHECK(resolved({"device=cuda"}).distributed.ranks == 1);  // nobody counted
  CHECK(resolved({"device=cuda", "batch=3"}, gpus).distributed.ranks == 3);
  CHECK(resolved({"device=cuda", "distributed=2"}, gpus).distributed.ranks == 2);
  CHECK(resolved({"distributed=auto"}, gpus).distributed.ranks == 1);
  CHECK(resolved({"distributed=4"}).distributed.ranks == 4);
}

TEST_CASE("ranks do not share a GPU") {
  const auto refusal = [](const std::vector<std::string>& overrides, std::int64_t gpus) {
    try {
      plan::expect_gpus_for_ranks(loaded(overrides), {4, false, "/here", gpus});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal({"device=cuda", "distributed=4"}, 2) ==
        "4 ranks need 4 GPUs, this machine shows 2");
  CHECK(refusal({"device=cuda", "distributed=2"}, 2).empty());
  CHECK(refusal({"device=cuda", "distributed=auto"}, 2).empty());
  CHECK(refusal({"device=cuda", "distributed=4"}, 0).empty());  // nobody counted
  CHECK(refusal({"device=cpu", "distributed=4"}, 2).empty());
}

TEST_CASE("threads follow from the work of a step, and are as many as the cores at most") {
  const auto threads_for = [](double work, const std::vector<std::string>& overrides = {}) {
    recipe::Recipe recipe = resolved(overrides);
    plan::resolve_threads(recipe, work, 4);
    return *recipe.threads;
  };
  CHECK(threads_for(0) == 1);
  CHECK(threads_for(1.9 * plan::kWorkOfThread) == 1);
  CHECK(threads_for(2 * plan::kWorkOfThread) == 2);
  CHECK(threads_for(3.5 * plan::kWorkOfThread) == 3);
  CHECK(threads_for(1e300) == 4);
  CHECK(threads_for(0, {"threads=3"}) == 3);
  CHECK(threads_for(1e300, {"threads=1"}) == 1);
  CHECK(plan::most_threads(resolved({}), {.cores = 4}) == 4);
  CHECK(plan::most_threads(resolved({"threads=9"}), {.cores = 4}) == 9);
}

TEST_CASE("the device follows from the machine unless it is written") {
  const plan::Machine with_gpu{4, true, "/here"};
  CHECK(plan::uses_cuda(resolved({}, with_gpu), with_gpu));
  CHECK_FALSE(*resolved({}, with_gpu).deterministic);
  CHECK_FALSE(plan::uses_cuda(resolved({"device=cpu"}, with_gpu), with_gpu));
  CHECK_FALSE(plan::uses_cuda(resolved({}), {4, false, "/here"}));
}

TEST_CASE("without a validation set nothing is best") {
  const recipe::Recipe recipe = resolved({"data.validation=null", "export=safetensors"});
  CHECK(recipe.checkpoint.keep.best == 0);
  CHECK(recipe.export_->weights == recipe::Export::Weights::last);
}
