#include <cmath>
#include <filesystem>
#include <fstream>

#include "runner/engine/device/start.h"
#include "runner/engine/job/job.h"
#include "runner/engine/page/plan_facts.h"
#include "runner/engine/rehearse/bench.h"
#include "runner/engine/rehearse/rehearse.h"
#include "runner/engine/step/update.h"
#include "runner/engine/tensor/tensor_memory.h"
#include "runner/engine/train/trainer.h"
#include "runner/files/posix_files.h"
#include "runner/plan/resolve.h"
#include "schema/load.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

using namespace knead;
using namespace knead::engine;

namespace {

namespace fs = std::filesystem;

constexpr const char* kGpt = KNEAD_ROOT "/tools/compare/gpt.yaml";

recipe::Recipe load(const fs::path& file, const std::vector<std::string>& overrides = {}) {
  recipe::Recipe recipe = schema::load(file.string(), overrides, schema::this_world()).recipe;
  plan::resolve(recipe, {1, false, "/"});
  plan::resolve_threads(recipe, 0, 1);
  return recipe;
}

/// The most bytes of tensors at once in a run of some steps, with an evaluation and a checkpoint.
std::int64_t measured_peak(const recipe::Recipe& recipe, const fs::path& folder) {
  fs::create_directories(folder);
  const TensorMemory memory;
  Job job = prepare(recipe);
  run::Progress progress;
  files::PosixFiles disk;
  checkpoint::Store store(disk, folder);
  store.recover();
  track::Console console({false, [] { return 80; }, [](std::string_view) {}, [] { return 0.0; }},
                         {});
  track::Tracker tracker(folder, recipe.evaluate.monitor, {}, console);
  run::Saver saver(job.recipe, job.course.windows, store, tracker, console, 0);
  Profile profile(job.recipe, nullptr, disk, folder, console, *job.group);
  const run::Stop stop;
  Saves saves(job, progress, tracker, &saver, disk, folder, nlohmann::json::object());
  Trainer(job, progress, tracker, saves, profile, console, stop).run();
  CHECK(progress.step == *job.course.steps);
  CHECK(tracker.evaluations().size() > 0);
  return memory.peak();
}

/// What plan foretells, held against a run.
void check_memory(const fs::path& file, const std::vector<std::string>& overrides = {}) {
  const tests::Folder folder;
  std::vector<std::string> short_run = overrides;
  short_run.insert(short_run.end(), {"train.until=3 steps", "schedule=null"});
  const recipe::Recipe recipe = load(file, short_run);
  TensorMemory counted;
  Job job = prepare(recipe);
  const MemoryUse memory = plan_facts(job, counted).rehearsal.memory;
  const auto foretold = static_cast<double>(std::max(memory.training, memory.evaluation));
  const auto measured = static_cast<double>(measured_peak(recipe, folder / "run"));
  INFO(recipe.name << ": " << foretold << " bytes foretold, " << measured << " measured");
  CHECK(std::abs(foretold / measured - 1) <= 0.1);
}

}  // namespace

TEST_CASE("the memory that plan foretells is the most that a run uses, within a tenth") {
  start_torch({1, true});
  check_memory(KNEAD_ROOT "/recipes/digits.yaml");
  check_memory(KNEAD_ROOT "/recipes/digits.yaml", {"batch.micro=8", "evaluate.batch=297"});
  check_memory(KNEAD_ROOT "/recipes/diabetes.yaml");
  for (const char* recipe : {"digits-cnn", "digits-lstm", "digits-autoencoder"})
    check_memory(KNEAD_ROOT "/recipes/" + std::string(recipe) + ".yaml");
  // The models that no recipe names, on small images.
  for (const char* model :
       {"model={source: " KNEAD_ROOT
        "/models/resnet.py, class: ResNet, args: {layers: [1, 1, 1, 1], "
        "classes: 10, channels: 1, width: 16, small: true}}",
        "model={source: " KNEAD_ROOT "/models/vit.py, class: ViT, args: {image: 8, patch: 2, "
        "classes: 10, channels: 1, width: 48, heads: 3, layers: 3}}"})
    check_memory(KNEAD_ROOT "/recipes/digits-cnn.yaml", {model});
  const std::vector<std::string> smaller{"batch=24", "model.args.config.layers=4",
                                         "data.validation={like: train, rows: [1500, 1600]}"};
  for (const char* micro : {"24", "12", "4"}) {
    std::vector<std::string> overrides = smaller;
    overrides.push_back(std::string("batch.micro=") + micro);
    check_memory(kGpt, overrides);
  }
}

TEST_CASE("the first step is rehearsed as it would be made") {
  start_torch({1, true});
  TensorMemory memory;
  Job job = prepare(load(KNEAD_ROOT "/recipes/digits.yaml"));
  const PlanFacts facts = plan_facts(job, memory);
  CHECK(facts.rehearsal.samples == 32);
  REQUIRE(facts.rehearsal.loss);
  CHECK(*facts.rehearsal.loss == Approx(2.318).epsilon(1e-3));
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

TEST_CASE("plan judges the gradient norm of the update that a run makes") {
  start_torch({1, true});
  const std::vector<std::vector<std::string>> kinds = {
      {}, {"batch.micro=16"}, {"clip=0.5"}, {"precision=bf16"}, {"precision=fp16"}};
  for (const auto& overrides : kinds) {
    const recipe::Recipe recipe = load(KNEAD_ROOT "/recipes/digits.yaml", overrides);
    TensorMemory memory;
    Job planned = prepare(recipe);
    const double foretold = rehearse(planned, memory).gradient_norm;
    Job trained = prepare(recipe);
    trained.trained.model->train(true);
    run::Progress progress{.loss_scale = plan::first_loss_scale(recipe.precision)};
    Updates updates(trained, progress,
                    {.end = trained.course.end(), .warn = [](const std::string&) {}});
    updates.make(trained.course.schedule.factor(0));
    REQUIRE(updates.settle());
    CHECK(foretold == updates.gradient_norm());
  }
}

TEST_CASE("what backward hides is what a median step does not wait for") {
  Bench bench;
  for (const double seconds : {0.1, 0.2, 5.0}) bench.steps.emplace_back().reduce = seconds;
  CHECK_FALSE(hidden_share(bench));  // a single rank
  bench.reduce_alone = 0.8;
  CHECK(hidden_share(bench).value() == Approx(0.75));
  bench.reduce_alone = 0.2;
  CHECK(hidden_share(bench).value() == 0);
  bench.reduce_alone = 0.1;
  CHECK_FALSE(hidden_share(bench));
}

TEST_CASE("a model of blocks is shown as one of them") {
  start_torch({1, true});
  TensorMemory memory;
  Job job = prepare(load(kGpt));
  const PlanFacts facts = plan_facts(job, memory);
  CHECK("\n" + tree_text(facts.model, facts.rehearsal.samples) == R"(
  modules                                  output            parameters    FLOPs
  GPT                                      (12, 64, 17)       2,389,888     327M
    token  Embedding(17 × 128)             (12, 64, 128)          2,176
    position  Embedding(64 × 128)          (64, 128)              8,192
    dropout  Dropout(0)                    (12, 64, 128)
    blocks  ModuleList                                        2,379,264
      0 … 11  12 × Block                   (12, 64, 128)        198,272    27.3M  each
        attention_norm  LayerNorm(128)     (12, 64, 128)            256
        attention  Attention               (12, 64, 128)         66,048    10.5M
          qkv  Linear(128 → 384)           (12, 64, 384)         49,536    6.29M
          out  Linear(128 → 128)           (12, 64, 128)         16,512    2.10M
        feed_forward_norm  LayerNorm(128)  (12, 64, 128)            256
        feed_forward  FeedForward          (12, 64, 128)        131,712    16.8M
          wide  Linear(128 → 512)          (12, 64, 512)         66,048    8.39M
          out  Linear(512 → 128)           (12, 64, 128)         65,664    8.39M
        dropout  Dropout(0)                (12, 64, 128)                          2 calls
    norm  LayerNorm(128)                   (12, 64, 128)            256
    head  Linear(128 → 17)                 (12, 64, 17)                     279k
      weight  is token.weight
)");
}
