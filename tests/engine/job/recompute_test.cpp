#include <sstream>

#include <ATen/ops/equal.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/rand.h>

#include "runner/engine/device/generators.h"
#include "runner/engine/device/start.h"
#include "runner/engine/job/activation_checkpointing.h"
#include "runner/engine/job/job.h"
#include "runner/engine/rehearse/rehearse.h"
#include "runner/engine/step/backward.h"
#include "runner/engine/train/snapshot.h"
#include "schema/document/error.h"
#include "tests/engine/model/archive_at.h"
#include "tests/engine/train/short_run.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

using namespace knead;
using namespace knead::engine;

namespace {

using Words = std::vector<std::string>;

Words with_model(const std::string& name, const std::string& args) {
  return {"model={source: " KNEAD_ROOT "/tests/models/recomputed.py, class: " + name +
              ", args: {inputs: 10, width: 8" + args + "}}",
          "schedule=null"};
}

const Words kModel = with_model("Recomputed", ", layers: 3");

Words joined(Words all, const Words& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

ShortRun trained(const Words& overrides) {
  const tests::Folder folder;
  return train(short_recipe("diabetes", overrides), 6, nullptr, folder.path());
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(error.what()) + "\n" + error.remedy();
  }
  return "no error";
}

MemoryUse memory_of(const Words& overrides) {
  TensorMemory counted;
  Job job = prepare(short_recipe("diabetes", overrides));
  return rehearse(job, counted).memory;
}

std::string refusal(const std::string& patterns, const Words& model = kModel) {
  return message_of([&] {
    prepare(short_recipe("diabetes", joined(model, {"activation_checkpointing=" + patterns})));
  });
}

std::vector<at::Tensor> gradients_of(model::Model& model, std::vector<c10::IValue> inputs) {
  seed_generator(3);
  const at::Tensor output = model.forward(std::move(inputs)).toTensor();
  const at::Tensor sum = output.pow(2).sum();
  Backward().run(sum, at::ones_like(sum));
  std::vector<at::Tensor> gradients;
  for (const NamedTensor& each : model.parameters()) {
    if (each.tensor.grad().defined()) gradients.push_back(each.tensor.grad());
  }
  return gradients;
}

}  // namespace

TEST_CASE("Recomputed activations give the same run, bit for bit") {
  start_torch({1, true});
  const auto more =
      GENERATE(Words{}, Words{"batch.micro=7", "batch.size=28"}, Words{"precision=bf16"},
               Words{"precision=fp16"}, Words{"precision={compute: bf16, cache: false}"});
  const auto patterns = GENERATE(as<std::string>{}, "[\"blocks.*\"]", "[\"*\"]",
                                 "[blocks.1, again]", "[\"*.wide\", \"*.norm\", \"blocks.?\"]");
  INFO(patterns << " with " << (more.empty() ? "nothing" : more.front()));
  const ShortRun plain = trained(joined(kModel, more));
  const ShortRun again =
      trained(joined(joined(kModel, more), {"activation_checkpointing=" + patterns}));
  CHECK(again.state.tensors == plain.state.tensors);
  CHECK(again.losses == plain.losses);
  CHECK(again.evaluations == plain.evaluations);
  CHECK(again.state.state["generator"] == plain.state.state["generator"]);
  CHECK(again.state.state["attributes"] == plain.state.state["attributes"]);
  const bool overflows = !more.empty() && more.front() == "precision=fp16";
  if (!overflows) CHECK(plain.state.state["attributes"].at("again.calls").get<int>() > 6);
}

TEST_CASE("Recomputed activations are not kept") {
  start_torch({1, true});
  const Words model = joined(kModel, {"model.args.width=64", "batch=64"});
  const MemoryUse plain = memory_of(model);
  const MemoryUse again =
      memory_of(joined(model, {"activation_checkpointing=[\"blocks.*\", again]"}));
  CHECK(again.activations < plain.activations / 3);
  CHECK(again.training < plain.training);
  CHECK(again.gradients == plain.gradients);
}

TEST_CASE("A module that cannot be computed again is refused") {
  start_torch({1, true});
  const auto first_step = [](const std::string& model) {
    return message_of(
        [&] { trained(joined(with_model(model, ""), {"activation_checkpointing=block"})); });
  };
  // A file is named from the folder that this runs in, where that is shorter.
  CHECK_THAT(
      first_step("ChangesItsInput"),
      Catch::EndsWith("tests/models/recomputed.py:70:25: activation_checkpointing: 'block' changes "
                      "what it is given in place, and cannot be computed once more\n"));
  CHECK(first_step("ChangedAfterwards") ==
        "activation_checkpointing: what 'block' is given is changed in place afterwards, and it "
        "cannot be computed once more\nleave the module out of activation_checkpointing");
}

TEST_CASE("A pattern stands for modules that are called") {
  start_torch({1, true});
  CHECK(refusal("[\"blocks.*\"]") == "no error");
  CHECK(refusal("[block.0]") ==
        "activation_checkpointing.0: 'block.0' fits no module\ndid you mean 'blocks.0'?");
  CHECK(
      refusal("[again, nothing_like_it]") ==
      "activation_checkpointing.1: 'nothing_like_it' fits no module\nthere is 'first', 'blocks.0', "
      "'blocks.0.wide', 'blocks.0.norm' …; knead plan lists them all");
  CHECK(refusal("[blocks]") ==
        "activation_checkpointing.0: 'blocks' is a ModuleList, which is never called itself\nwrite "
        "'blocks.*' for what is in it");
}

TEST_CASE("A model that recomputes is exported as any other") {
  start_torch({1, true});
  Job plain = prepare(short_recipe("diabetes", kModel));
  Job again = prepare(short_recipe("diabetes", joined(kModel, {"activation_checkpointing=\"*\""})));
  const std::vector<c10::IValue> inputs = {at::rand({5, 10})};
  for (Job* job : {&plain, &again}) job->trained.model->train(true);
  gradients_of(*plain.trained.model, inputs);
  gradients_of(*again.trained.model, inputs);
  std::ostringstream one, other;
  plain.trained.model->save(one);
  again.trained.model->save(other);
  CHECK(one.str() == other.str());
}

TEST_CASE("The modules of an archive recompute too") {
  start_torch({1, true});
  const tests::Folder folder;
  {
    Job job = prepare(short_recipe("diabetes", kModel));
    std::ostringstream out;
    job.trained.model->train(true);
    job.trained.model->save(out);
    tests::write_text(folder.path() / "model.pt", out.str());
  }
  const std::vector<c10::IValue> inputs = {at::rand({5, 10})};
  const auto plain = archive_at(folder.path() / "model.pt");
  const auto gradients = gradients_of(*plain, inputs);
  const auto again = archive_at(folder.path() / "model.pt");
  checkpoint_activations(*again, {"blocks.*", "again"});
  const auto same = gradients_of(*again, inputs);
  REQUIRE(gradients.size() == same.size());
  REQUIRE(gradients.size() > 10);
  for (std::size_t i = 0; i < same.size(); ++i) CHECK(at::equal(gradients[i], same[i]));
  for (std::size_t i = 0; i < plain->buffers().size(); ++i)
    CHECK(at::equal(plain->buffers()[i].tensor, again->buffers()[i].tensor));
}
