#include <filesystem>
#include <functional>

#include "runner/engine/job.h"
#include "runner/engine/snapshot.h"
#include "runner/engine/start.h"
#include "runner/engine/trainer.h"
#include "runner/files/posix_files.h"
#include "runner/files/read.h"
#include "runner/plan/resolve.h"
#include "schema/load.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

using namespace knead;
using namespace knead::engine;

namespace {

namespace fs = std::filesystem;

/// A short run with momentum, dropout, batch norm, a model that counts, micro-batches and reports
/// every two steps.
recipe::Recipe short_recipe() {
  const std::string file = KNEAD_ROOT "/tests/end_to_end/recipes/diabetes.yaml";
  const std::string model = "model={source: " KNEAD_ROOT
                            "/tests/models/counting.py, class: Counting, args: {inputs: 10, "
                            "hidden: 8}}";
  recipe::Recipe recipe = schema::load(file, {model}, schema::this_world()).recipe;
  plan::resolve(recipe, {1, false, "/"});
  return recipe;
}

struct Trained {
  checkpoint::Snapshot state;
  std::string losses;  // every "loss" of metrics.jsonl
};

std::string losses_in(const fs::path& metrics) {
  std::string losses;
  for (const track::Report& report : track::read_reports(metrics))
    losses += std::to_string(report.step) + " " + nlohmann::json(report.loss).dump() + "\n";
  return losses;
}

/// Trains from a state, or from the start, to a step.
Trained train(std::uint64_t until, const checkpoint::Snapshot* from, const fs::path& folder) {
  fs::create_directories(folder);
  Job job = prepare(short_recipe());
  Progress progress;
  track::Positions positions;
  if (from) {
    restore_snapshot({*job.model, *job.optimizer, progress}, *from);
    positions = positions_in(*from);
  }
  files::PosixFiles disk;
  checkpoint::Store store(disk, folder);
  store.recover();
  track::Console console({false, [] { return 80; }, [](std::string_view) {}, [] { return 0.0; }},
                         {});
  track::Tracker tracker(folder, "validation/loss", positions, console);
  Saver saver(job.recipe, job.windows, store, tracker, console, progress.step);
  Stop stop;
  stop.limit_steps(until);
  Trainer trainer(job, progress, tracker, saver, stop, nlohmann::json::object());
  trainer.run();
  Trained trained;
  trained.state = take_snapshot({*job.model, *job.optimizer, progress}, tracker.positions(), {});
  trained.losses = losses_in(folder / track::kMetricsFile);
  return trained;
}

checkpoint::Part& part_named(checkpoint::Snapshot& snapshot, const std::string& file) {
  for (checkpoint::Part& part : snapshot.parts) {
    if (part.file == file) return part;
  }
  FAIL("no " << file);
  std::abort();
}

void zero(checkpoint::Snapshot& snapshot, const std::string& file, const std::string& ending) {
  std::size_t found = 0;
  for (files::TensorBytes& tensor : part_named(snapshot, file).tensors) {
    if (!tensor.name.ends_with(ending)) continue;
    std::fill(tensor.bytes.begin(), tensor.bytes.end(), std::byte{0});
    ++found;
  }
  REQUIRE(found > 0);
}

/// What each piece of the state is, and how to lose it.
const std::vector<std::pair<std::string, std::function<void(checkpoint::Snapshot&)>>> kPieces{
    {"the weights", [](auto& s) { zero(s, kModelFile, "hidden.weight"); }},
    {"running statistics", [](auto& s) { zero(s, kModelFile, "running_var"); }},
    {"a number that the model keeps",
     [](auto& s) { s.state["attributes"].at("calls") = 0; }},
    {"a list that it keeps", [](auto& s) { s.state["attributes"].at("sizes") = {1, 1, 1}; }},
    {"a tensor that it keeps", [](auto& s) { zero(s, kAttributesFile, "last"); }},
    {"that there is one", [](auto& s) { s.state["attributes"].at("last") = nullptr; }},
    {"the momentum", [](auto& s) { zero(s, kOptimizerFile, "momentum_buffer"); }},
    {"that there is momentum", [](auto& s) { part_named(s, kOptimizerFile).tensors.clear(); }},
    {"the generator",
     [](auto& s) {
       seed_generator(99);
       s.state["generator"] = GeneratorState().text();
     }},
    {"the position",
     [](auto& s) {
       s.state["progress"]["step"] = s.state["progress"]["step"].template get<int>() - 1;
     }},
    {"the loss since the last report", [](auto& s) { s.state["progress"]["loss_sum"] = 0.0; }},
    {"its weight", [](auto& s) { s.state["progress"]["loss_weight"] = 1.0; }},
};

}  // namespace

TEST_CASE("a run goes on as if it had not stopped, and each piece of its state is needed for it") {
  start_torch({1, true});
  constexpr std::uint64_t kHalf = 5;  // between two reports
  constexpr std::uint64_t kWhole = 11;
  const knead::tests::Folder folder;
  const Trained whole = train(kWhole, nullptr, folder.path() / "whole");
  const Trained half = train(kHalf, nullptr, folder.path() / "half");

  const auto go_on = [&](const checkpoint::Snapshot& from, const std::string& name) {
    fs::create_directories(folder.path() / name);
    for (const char* file : {track::kMetricsFile, track::kEvaluationsFile})
      fs::copy_file(folder.path() / "half" / file, folder.path() / name / file);
    return train(kWhole, &from, folder.path() / name);
  };

  const Trained rest = go_on(half.state, "rest");
  CHECK(rest.state.tensors == whole.state.tensors);
  CHECK(rest.losses == whole.losses);
  CHECK(rest.state.state["generator"] == whole.state.state["generator"]);

  for (std::size_t i = 0; i < kPieces.size(); ++i) {
    checkpoint::Snapshot lacking = half.state;
    kPieces[i].second(lacking);
    const Trained other = go_on(lacking, "without-" + std::to_string(i));
    INFO("without " << kPieces[i].first);
    CHECK((other.state.tensors != whole.state.tensors || other.losses != whole.losses));
  }
}
