#include "runner/engine/device/device.h"

#include <cmath>
#include <set>

#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sum.h>

#include "runner/engine/device/start.h"
#include "runner/engine/job/job.h"
#include "runner/engine/model/explain/machine_failure.h"
#include "runner/engine/profile/recording.h"
#include "runner/engine/rehearse/rehearse.h"
#include "runner/engine/train/export.h"
#include "runner/files/posix_files.h"

#include "tests/engine/device/on_devices.h"  // behind LibTorch
#include "tests/engine/model/archive_at.h"
#include "tests/in_process.h"

using namespace knead;
using namespace knead::engine;

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
  const ShortRun whole = train(recipe, 100, nullptr, folder.path() / "whole");
  const ShortRun half = train(recipe, 5, nullptr, folder.path() / "half");
  const ShortRun rest =
      go_on(recipe, 100, half.state, folder.path() / "half", folder.path() / "rest");
  CHECK(rest.state.tensors == whole.state.tensors);
  CHECK(rest.losses == whole.losses);
  CHECK(rest.state.state.at("generator") == whole.state.state.at("generator"));
  {
    const OnCpu here;
    const ShortRun first = train(recipe, 5, nullptr, folder.path() / "cpu");
    CHECK(first.state.tensors == half.state.tensors);
  }
  const ShortRun from_cpu =
      go_on(recipe, 100, half.state, folder.path() / "cpu", folder.path() / "from-cpu");
  CHECK(from_cpu.state.tensors == whole.state.tensors);
}

// The numbers are its own: a device rounds as its kernels do.
TEST_CASE("Half precision is that of the device, also where activations are computed once more") {
  start_torch({1, true});
  compute_on_second_device();
  const tests::Folder folder;
  int runs = 0;
  const auto losses_of = [&](const Overrides& overrides) {
    return trained("digits", overrides, folder.path() / std::to_string(++runs)).losses;
  };
  const std::string full = losses_of({});
  for (const char* precision : {"bf16", "{compute: bf16, cache: false}", "fp16",
                                "{compute: fp16, scaler: {init: 8388608, interval: 3}}"}) {
    const std::string written = std::string("precision=") + precision;
    const std::string half = losses_of({written});
    INFO(precision);
    CHECK(half != full);
    CHECK(half.find("NaN") == half.npos);
    CHECK(losses_of({written, "activation_checkpointing=['layers.*']"}) == half);
  }
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
  const ShortRun plain = trained("digits", {"train=6 steps"}, folder.path() / "plain");
  const ShortRun seen = trained(
      "digits", {"train=6 steps", "profile={steps: [2, 5], memory: true}"}, folder.path() / "seen");
  CHECK(seen.state.tensors == plain.state.tensors);
  CHECK(std::filesystem::exists(folder.path() / "seen/profile/steps-2-5.json"));
}

TEST_CASE("What a GPU complains of is said in words") {
  const auto words_of = [](const std::string& text) -> std::string {
    try {
      model::throw_if_machine_failed(text, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(words_of(
            "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of "
            "139.80 GiB of which 1.25 GiB is free. Including non-PyTorch memory, this process") ==
        "the GPU has no memory for a tensor of 21 MB: of its 150 GB, 1.3 GB are free");
  CHECK(words_of("CUDA out of memory. Tried to allocate 20.00 MiB.") ==
        "the GPU has no memory for a tensor of 21 MB");
  CHECK(words_of("CUDA error: device-side assert triggered\nCUDA kernel errors might be") ==
        "the GPU stopped at an index that is out of range, as of a token that the model does not "
        "have");
  CHECK(words_of("CUDA error: an illegal memory access was encountered\nCUDA kernel errors") ==
        "the GPU failed: an illegal memory access was encountered");
  CHECK(words_of("mat1 and mat2 shapes cannot be multiplied").empty());
}

TEST_CASE("A destructor that throws after a GPU has failed ends the process with these words") {
  struct Memory {
    ~Memory() { fail(); }
    static void fail() {
      throw std::runtime_error("CUDA error: device-side assert triggered\nSearch for `cudaErr");
    }
  };
  const tests::End end = tests::in_process([] {
    model::tell_failed_gpu_on_terminate();
    const Memory memory;  // a destructor that throws calls std::terminate()
  });
  CHECK(WIFEXITED(end.status));
  CHECK(WEXITSTATUS(end.status) == static_cast<int>(Exit::training_failed));
  CHECK(end.text ==
        "knead: the GPU stopped at an index that is out of range, as of a token that the model "
        "does not have\n     = with device: cpu it is said where\n");
}

TEST_CASE("What is exported from another device lies in host memory") {
  start_torch({1, true});
  compute_on_second_device();
  const tests::Folder folder;
  Job job = prepare(short_recipe("digits", {}));
  CHECK(job.trained.model->parameters().front().tensor.device() == device());
  files::PosixFiles disk;
  const auto path = folder.path() / "model.pt";
  write_archive(*job.trained.model, disk, path);
  CHECK(job.trained.model->parameters().front().tensor.device() == device());
  CHECK(archive_at(path)->parameters().front().tensor.is_cpu());
}

TEST_CASE("What a plan tries, it tries on another device") {
  start_torch({1, true});
  compute_on_second_device();
  TensorMemory memory;
  Job job = prepare(short_recipe("diabetes", {}));
  const Rehearsal rehearsal = rehearse(job, memory);
  CHECK(rehearsal.memory.parameters > 0);
  CHECK(rehearsal.memory.copy == 0);  // it lies in host memory
  REQUIRE(rehearsal.loss.has_value());
  CHECK(std::isfinite(*rehearsal.loss));
}
