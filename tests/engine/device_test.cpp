#include "runner/engine/device.h"

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sum.h>

#include "runner/engine/export.h"
#include "runner/engine/job.h"
#include "runner/engine/model/archive.h"
#include "runner/engine/model/gpu_failure.h"
#include "runner/engine/model/out_of_memory.h"
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

constexpr int kOfStep1 = 72, kOfStep3 = 74;  // rows in each epoch's first and last step

/// The data of diabetes; the target of one row is so large that its square is infinite.
std::filesystem::path with_overflow(int bad, const std::filesystem::path& folder) {
  std::ifstream from(KNEAD_ROOT "/recipes/data/diabetes.csv");
  const std::filesystem::path path = folder / "overflow.csv";
  std::ofstream to(path);
  std::string line;
  for (int row = -1; std::getline(from, line); ++row)
    to << (row == bad ? line.substr(0, line.rfind(',')) + ",1e30" : line) << "\n";
  return path;
}

/// The tensors of the newest checkpoint that a run saved, by their paths.
std::map<std::string, std::string> last_saved_in(const std::filesystem::path& folder) {
  std::set<std::filesystem::path> checkpoints;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "checkpoints"))
    checkpoints.insert(entry.path());
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(*checkpoints.rbegin())) {
    if (entry.path().extension() != ".safetensors") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files[entry.path().lexically_relative(folder).string()] =
        std::string(std::istreambuf_iterator<char>(in), {});
  }
  return files;
}

std::string failure_of(const std::string& name, const Overrides& overrides,
                       const std::filesystem::path& folder) {
  try {
    trained(name, overrides, folder);
  } catch (const Error& error) {
    return std::string(error.what()) + " = " + error.remedy();
  }
  return "none";
}

/// Fails here and there, and wants the same words and the same tensors in the last checkpoint.
void expect_the_same_end(const std::string& name, const Overrides& overrides) {
  INFO(name << ": " << overrides.back());
  const tests::Folder folder;
  compute_on(at::kCPU);
  const std::string here = failure_of(name, overrides, folder.path() / "here");
  compute_on_second_device();
  CHECK(failure_of(name, overrides, folder.path() / "there") == here);
  CHECK(here.find("the loss is infinite at step 3 (") == 0);
  const auto saved = last_saved_in(folder.path() / "here");
  CHECK(saved.size() >= 2);
  CHECK((last_saved_in(folder.path() / "there") == saved));  // in brackets, for it is no text
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

// What an update came to is heard when the next has begun on its batch norm's statistics.
TEST_CASE("An update that is left out leaves nothing behind on another device") {
  start_torch({1, true});
  const tests::Folder folder;
  const auto with = [&](int bad, const std::string& optimizer, const Overrides& more) {
    const std::string data = "data.train.path=" + with_overflow(bad, folder.path()).string();
    // Reports would ask what each update came to, before the next begins.
    const Overrides unasked{"clip=null", "track.every=100 steps", data, "optimizer=" + optimizer};
    return joined(unasked, more);
  };
  for (const char* optimizer : {"{type: sgd, lr: 0.02, momentum: 0.9}", "{type: adamw, lr: 0.01}",
                                "{type: rmsprop, lr: 0.01}"}) {
    const Overrides skip{"non_finite={action: skip}"};
    expect_the_same("diabetes", with(kOfStep1, optimizer, skip));
    expect_the_same("diabetes", with(kOfStep3, optimizer, skip));
    expect_the_same("diabetes", with(kOfStep3, optimizer, joined(skip, {"average.type=ema"})));
    expect_the_same_end("diabetes", with(kOfStep3, optimizer, {}));
  }
}

// A device may be late: nothing that was asked for is done before something is computed.
TEST_CASE("A batch leaves its host memory only when it has been copied") {
  start_torch({1, true});
  compute_on_second_device();
  Job job = prepare(short_recipe("digits", {"data.workers=0"}));
  Feed feed(job.sets.train, job.fields, job.windows, job.sets.order, 0, 3, {});
  at::Tensor here;
  for (int step = 0; step < 2; ++step) {
    feed.next();
    here = feed.part(0, 32).samples.tensors[0].clone();
    const at::Tensor there = feed.part(0, 32).samples.copies[0];
    feed.send_next();
    CHECK(there.add(0).cpu().equal(here));
  }
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

TEST_CASE(
    "A step does not wait for the device, where its optimizer has a kernel that needs no word") {
  start_torch({1, true});
  const tests::Folder folder;
  compute_on_second_device();
  const auto reads_of = [&](std::uint64_t steps, const std::string& every, const Overrides& more) {
    Overrides overrides{"checkpoint.every=100 steps", "data.validation=null", "evaluate=null",
                        "track.every=" + every, "train=" + std::to_string(steps) + " steps"};
    const recipe::Recipe recipe = short_recipe("digits", joined(overrides, more));
    const std::int64_t before = times_read();
    train(recipe, steps, nullptr, folder.path() / std::to_string(before) / std::to_string(steps));
    return times_read() - before;
  };
  const auto reads_of_a_step = [&](const std::string& every, const Overrides& more) {
    return reads_of(6, every, more) - reads_of(5, every, more);
  };
  for (const char* micro : {"32", "8"}) {
    const Overrides cut{std::string("batch.micro=") + micro};
    CHECK(reads_of_a_step("100 steps", cut) == 0);
    CHECK(reads_of_a_step("1 step", cut) == 1);
    CHECK(reads_of_a_step("100 steps", joined(cut, {"clip=0.1"})) == 0);
    CHECK(reads_of_a_step("100 steps", joined(cut, {"optimizer={type: sgd, lr: 0.1}"})) == 0);
  }
  CHECK(reads_of_a_step("100 steps", {"optimizer={type: rmsprop, lr: 0.01}"}) == 2);
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

TEST_CASE("What a GPU complains of is said in words") {
  const auto words_of = [](const std::string& text) -> std::string {
    try {
      model::throw_if_gpu_failed(text);
      model::throw_if_out_of_memory(text, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(words_of(
            "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of "
            "139.80 GiB of which 1.25 GiB is free. Including non-PyTorch memory, this process") ==
        "the GPU has no memory for a tensor of 20.00 MiB: of its 139.80 GiB, 1.25 GiB are free");
  CHECK(words_of("CUDA out of memory. Tried to allocate 20.00 MiB.") ==
        "the GPU has no memory for a tensor of 20.00 MiB");
  CHECK(words_of("CUDA error: device-side assert triggered\nCUDA kernel errors might be") ==
        "the GPU stopped at an index that is out of range, as of a token that the model does not "
        "have");
  CHECK(words_of("CUDA error: an illegal memory access was encountered\nCUDA kernel errors") ==
        "the GPU failed: an illegal memory access was encountered");
  CHECK(words_of("mat1 and mat2 shapes cannot be multiplied").empty());
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
