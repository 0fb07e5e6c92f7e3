#include "runner/engine/device.h"

#include <set>
#include <sstream>

#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sum.h>

#include "runner/engine/export.h"
#include "runner/engine/job.h"
#include "runner/engine/model/archive.h"
#include "runner/engine/recording.h"
#include "runner/engine/rehearse.h"
#include "runner/engine/start.h"
#include "runner/files/posix_files.h"
#include "tests/engine/second_device.h"
#include "tests/engine/short_run.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

// What a GPU asks of the engine, without one: every tensor of a step in its memory, everything read
// from it brought to the host first. Whether its own kernels give these numbers is for a GPU to
// say.

using namespace knead;
using namespace knead::engine;

namespace {

using Overrides = std::vector<std::string>;

/// While it lives, the CPU is the device again.
class OnCpu {
 public:
  OnCpu() { compute_on(at::kCPU); }
  ~OnCpu() { compute_on_second_device(); }
};

Trained trained(const std::string& name, const Overrides& overrides,
                const std::filesystem::path& folder) {
  return train(short_recipe(name, overrides), 100, nullptr, folder);
}

/// Trains here and there, and wants the same bits of everything but the generator's state.
void expect_the_same(const std::string& name, const Overrides& overrides) {
  INFO(name << (overrides.empty() ? "" : ": " + overrides.back()));
  const tests::Folder folder;
  compute_on(at::kCPU);
  const Trained here = trained(name, overrides, folder.path() / "here");
  compute_on_second_device();
  const Trained there = trained(name, overrides, folder.path() / "there");
  CHECK(there.state.step == here.state.step);
  CHECK(there.state.tensors == here.state.tensors);
  CHECK(there.losses == here.losses);
  CHECK(there.evaluations == here.evaluations);
  CHECK(there.state.state.at("attributes") == here.state.state.at("attributes"));
}

// Batch norm, dropout, micro-batches; the norm of gradients is summed up otherwise there.
const Overrides kUnclipped{"clip=null", "track.every=1 step"};

Overrides joined(Overrides all, const Overrides& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

TEST_CASE("A run on another device gives the numbers of the CPU") {
  start_torch({1, true});
  expect_the_same("digits", {});
  expect_the_same("digits", {"batch.micro=8", "evaluate.batch=20"});
  expect_the_same("diabetes", kUnclipped);
  expect_the_same("averaged", {"clip=null"});
}

TEST_CASE("Every optimizer updates weights of another device") {
  start_torch({1, true});
  for (const char* kind :
       {"adamw, amsgrad: true", "adam", "sgd, momentum: 0.9, nesterov: true", "adagrad",
        "rmsprop, centered: true, momentum: 0.9", "nadam", "radam", "adamax", "adadelta", "lion",
        "lamb", "adafactor", "muon, groups: [{ndim_below: 2, adamw: {}}]"})
    expect_the_same("digits",
                    {"train=4 steps", std::string("optimizer={lr: 0.01, type: ") + kind + "}"});
}

TEST_CASE("Losses and metrics compare what is on another device") {
  start_torch({1, true});
  for (const char* loss : {"{type: cross_entropy, target: digit, label_smoothing: 0.1, weight: [1, "
                           "2, 1, 1, 1, 1, 1, 1, 1, 3]}",
                           "{type: script, code: \"def loss(output, batch):\\n  return "
                           "torch.nn.functional.cross_entropy(output, batch['digit'])\"}"})
    expect_the_same("digits", {"train=3 steps", "model.inputs={x: pixels}",
                               "evaluate.metrics=[{type: accuracy, target: digit}]",
                               std::string("loss=") + loss});
  expect_the_same("digits", {"train=3 steps",
                             "evaluate.metrics=[accuracy, {type: accuracy, top: 3}, f1, precision, "
                             "recall, auroc, perplexity]"});
  expect_the_same("diabetes", joined(kUnclipped, {"evaluate.metrics=[mae, mse, rmse, r2]"}));
  expect_the_same("diabetes", joined(kUnclipped, {"loss.type=huber"}));
}

TEST_CASE("A run goes on on another device, also from where the CPU stopped") {
  start_torch({1, true});
  const tests::Folder folder;
  compute_on_second_device();
  const recipe::Recipe recipe = short_recipe("diabetes", kUnclipped);
  const Trained whole = train(recipe, 100, nullptr, folder.path() / "whole");
  const Trained half = train(recipe, 5, nullptr, folder.path() / "half");
  const Trained rest =
      go_on(recipe, 100, half.state, folder.path() / "half", folder.path() / "rest");
  CHECK(rest.state.tensors == whole.state.tensors);
  CHECK(rest.losses == whole.losses);
  CHECK(rest.state.state.at("generator") == whole.state.state.at("generator"));
  {
    const OnCpu here;
    const Trained first = train(recipe, 5, nullptr, folder.path() / "cpu");
    CHECK(first.state.tensors == half.state.tensors);
  }
  const Trained from_cpu =
      go_on(recipe, 100, half.state, folder.path() / "cpu", folder.path() / "from-cpu");
  CHECK(from_cpu.state.tensors == whole.state.tensors);
}

TEST_CASE("A step waits for the device once a micro-batch at most, behind all of its work") {
  start_torch({1, true});
  const tests::Folder folder;
  compute_on_second_device();
  const auto reads_of = [&](std::uint64_t steps, const std::string& micro) {
    const recipe::Recipe recipe = short_recipe(
        "digits", {"evaluate.every=100 steps", "checkpoint.every=100 steps", "data.validation=null",
                   "evaluate=null", "track.every=100 steps", "batch.micro=" + micro,
                   "train=" + std::to_string(steps) + " steps"});
    const std::int64_t before = times_read();
    train(recipe, steps, nullptr, folder.path() / (micro + "-" + std::to_string(steps)));
    return times_read() - before;
  };
  CHECK(reads_of(4, "32") - reads_of(3, "32") == 2);  // the loss, and the norm of all gradients
  CHECK(reads_of(4, "8") - reads_of(3, "8") == 5);
}

TEST_CASE("A recording follows LibTorch into its own threads") {
  start_torch({1, true});
  compute_on_second_device();
  const at::Tensor weight = at::ones({3}, device()).requires_grad_();
  Recording recording(std::nullopt, nullptr);
  const at::Tensor sum = at::sum(at::mul(weight, weight));
  sum.backward();  // LibTorch goes through a graph of a device in another thread
  const trace::Recorded recorded = recording.stop();
  REQUIRE(recorded.threads.size() == 2);
  CHECK(recorded.threads[0].name == "training");
  std::set<std::string> names;
  for (const auto& span : recorded.threads[1].timeline.spans()) names.insert(*span.name);
  CHECK(names.count("MulBackward0") == 1);
  CHECK(names.count("aten::mul") == 1);
  CHECK(weight.grad().defined());
}

TEST_CASE("A profile changes nothing on another device") {
  start_torch({1, true});
  compute_on_second_device();
  const tests::Folder folder;
  const Trained plain = trained("digits", {"train=6 steps"}, folder.path() / "plain");
  const Trained seen = trained("digits", {"train=6 steps", "profile={steps: [2, 5], memory: true}"},
                               folder.path() / "seen");
  CHECK(seen.state.tensors == plain.state.tensors);
  CHECK(std::filesystem::exists(folder.path() / "seen/profile/steps-2-5.json"));
}

TEST_CASE("What is exported from another device lies in host memory") {
  start_torch({1, true});
  compute_on_second_device();
  const tests::Folder folder;
  Job job = prepare(short_recipe("digits", {}));
  CHECK(job.model->parameters().front().tensor.device() == device());
  files::PosixFiles disk;
  const auto path = folder.path() / "model.pt";
  write_model(*job.model, recipe::Export::To::torchscript, disk, path);
  CHECK(job.model->parameters().front().tensor.device() == device());
  CHECK(model::load_archive(path)->parameters().front().tensor.is_cpu());
}

TEST_CASE("What a plan tries, it tries on another device") {
  start_torch({1, true});
  compute_on_second_device();
  TensorMemory memory;
  Job job = prepare(short_recipe("diabetes", {}));
  const Rehearsal rehearsal = rehearse(job, memory);
  CHECK(rehearsal.memory.parameters > 0);
  CHECK(std::isfinite(rehearsal.loss));
}
