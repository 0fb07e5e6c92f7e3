#include <cmath>
#include <filesystem>
#include <fstream>

#include "runner/engine/job.h"
#include "runner/engine/plan_facts.h"
#include "runner/engine/start.h"
#include "runner/engine/tensor_memory.h"
#include "runner/engine/trainer.h"
#include "runner/files/posix_files.h"
#include "runner/plan/resolve.h"
#include "schema/load.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

using namespace knead;
using namespace knead::engine;

namespace {

namespace fs = std::filesystem;

recipe::Recipe load(const fs::path& file, const std::vector<std::string>& overrides = {}) {
  recipe::Recipe recipe = schema::load(file.string(), overrides, schema::this_world()).recipe;
  plan::resolve(recipe, {1, false, "/"});
  return recipe;
}

/// The most bytes of tensors at once in a run of some steps, with an evaluation and a checkpoint.
std::int64_t measured_peak(const recipe::Recipe& recipe, const fs::path& folder) {
  fs::create_directories(folder);
  const TensorMemory memory;
  Job job = prepare(recipe);
  Progress progress;
  files::PosixFiles disk;
  checkpoint::Store store(disk, folder);
  store.recover();
  track::Console console({false, [] { return 80; }, [](std::string_view) {}, [] { return 0.0; }},
                         {});
  track::Tracker tracker(folder, recipe.evaluate.monitor, {}, console);
  Saver saver(job.recipe, job.windows, store, tracker, console, 0);
  const Stop stop;
  Trainer(job, progress, tracker, saver, stop, nlohmann::json::object()).run();
  CHECK(progress.step == *job.steps);
  CHECK(tracker.evaluations().size() > 0);
  return memory.peak();
}

/// What plan foretells, held against a run.
void check_memory(const fs::path& file, const std::vector<std::string>& overrides = {}) {
  const tests::Folder folder;
  std::vector<std::string> short_run = overrides;
  short_run.push_back("train.until=3 steps");
  const recipe::Recipe recipe = load(file, short_run);
  Job job = prepare(recipe);
  const MemoryUse memory = plan_facts(job).rehearsal.memory;
  const auto foretold = static_cast<double>(std::max(memory.training, memory.evaluation));
  const auto measured = static_cast<double>(measured_peak(recipe, folder / "run"));
  WARN(recipe.name << ": " << foretold << " bytes foretold, " << measured << " measured, "
                   << 100 * (foretold / measured - 1) << " %");
  CHECK(std::abs(foretold / measured - 1) <= 0.1);
}

/// Small images as sequences of 64 tokens, each to be told from those before it.
constexpr const char* kSequences = R"(
version: 1
name: sequences
model: {source: sequences.py, class: Sequences}
data:
  train:
    type: csv
    path: DIGITS
    fields:
      tokens: {columns: "0:64", dtype: int64}
      targets: {columns: "1:65", dtype: int64}
    rows: [0, 240]
  validation: {like: train, rows: [240, 360]}
loss: {type: cross_entropy, target: targets}
batch: {size: 24, micro: MICRO}
optimizer: {type: adamw, lr: 1e-3}
train: 10 steps
evaluate: 1 epoch
)";

constexpr const char* kGpt = R"(
from torch import nn
from gpt import GPT, GPTConfig

class Sequences(nn.Module):
    def __init__(self):
        super().__init__()
        self.gpt = GPT(GPTConfig(vocab=17, context=64, layers=4, heads=4, width=128))

    def forward(self, tokens):
        return self.gpt(tokens).transpose(1, 2)
)";

fs::path write_sequences(const fs::path& folder, const std::string& micro) {
  std::string recipe = kSequences;
  recipe.replace(recipe.find("DIGITS"), 6, KNEAD_ROOT "/recipes/data/digits.csv");
  recipe.replace(recipe.find("MICRO"), 5, micro);
  fs::copy_file(KNEAD_ROOT "/models/gpt.py", folder / "gpt.py");
  std::ofstream(folder / "sequences.py") << kGpt;
  std::ofstream(folder / "sequences.yaml") << recipe;
  return folder / "sequences.yaml";
}

}  // namespace

TEST_CASE("the memory that plan foretells is the most that a run uses, within a tenth") {
  start_torch({1, true});
  check_memory(KNEAD_ROOT "/recipes/digits.yaml");
  check_memory(KNEAD_ROOT "/recipes/digits.yaml", {"batch.micro=8", "evaluate.batch=297"});
  check_memory(KNEAD_ROOT "/recipes/diabetes.yaml");
  check_memory(KNEAD_ROOT "/recipes/digits-cnn.yaml");
  for (const char* micro : {"24", "12", "4"}) {
    const tests::Folder folder;
    check_memory(write_sequences(folder.path(), micro));
  }
}

TEST_CASE("the first step is rehearsed as it would be made") {
  start_torch({1, true});
  Job job = prepare(load(KNEAD_ROOT "/recipes/digits.yaml"));
  const PlanFacts facts = plan_facts(job);
  CHECK(facts.rehearsal.samples == 32);
  CHECK(facts.rehearsal.loss == Approx(2.318).epsilon(1e-3));
  CHECK(facts.rehearsal.forward_work == 32 * 2.0 * (64 * 128 + 128 * 64 + 64 * 10));
  // The images need no gradient.
  CHECK(facts.rehearsal.backward_work == 32 * 2.0 * (64 * 128 + 2 * 128 * 64 + 2 * 64 * 10));
  CHECK(facts.parameters == 17226);
  CHECK(facts.evaluations.steps.size() == 20);
  CHECK(facts.evaluations.steps.back() == 940);
  REQUIRE(facts.model.children.size() == 1);
  CHECK(facts.model.children[0].children.size() == 5);
  CHECK(facts.model.children[0].children[2].use.output == "(32, 64)");
}

TEST_CASE("a model of blocks is shown as one of them") {
  start_torch({1, true});
  const tests::Folder folder;
  Job job = prepare(load(write_sequences(folder.path(), "12")));
  const PlanFacts facts = plan_facts(job);
  CHECK("\n" + tree_text(facts.model, facts.rehearsal.samples) == R"(
)");
}
