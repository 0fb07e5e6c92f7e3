#include <algorithm>
#include <functional>

#include "runner/checkpoint/names.h"
#include "runner/engine/device/generators.h"
#include "runner/engine/device/start.h"
#include "runner/engine/train/snapshot.h"
#include "tests/engine/train/short_run.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

using namespace knead;
using namespace knead::engine;

namespace {

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
    {"the weights", [](auto& s) { zero(s, checkpoint::kModelFile, "hidden.weight"); }},
    {"running statistics", [](auto& s) { zero(s, checkpoint::kModelFile, "running_var"); }},
    {"a number that the model keeps", [](auto& s) { s.state["attributes"].at("calls") = 0; }},
    {"a list that it keeps",
     [](auto& s) {
       s.state["attributes"].at("sizes") = {1, 1, 1};
     }},
    {"a tensor that it keeps", [](auto& s) { zero(s, checkpoint::kAttributesFile, "last"); }},
    {"that there is one", [](auto& s) { s.state["attributes"].at("last") = nullptr; }},
    {"the momentum", [](auto& s) { zero(s, checkpoint::kOptimizerFile, "momentum_buffer"); }},
    {"that there is momentum",
     [](auto& s) { part_named(s, checkpoint::kOptimizerFile).tensors.clear(); }},
    {"the averaged weights", [](auto& s) { zero(s, checkpoint::kAverageFile, "hidden.weight"); }},
    {"how many they are of", [](auto& s) { s.state["averaged"] = 1; }},
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
  // Momentum, dropout, batch norm, a model that counts, micro-batches, averaged weights, reports
  // every two steps.
  const std::string model = "model={source: " KNEAD_ROOT
                            "/tests/models/counting.py, class: Counting, args: {inputs: 10, "
                            "hidden: 8}}";
  const recipe::Recipe recipe =
      short_recipe("diabetes", {model, "average={type: swa, every: 1 step, start: 2 steps}"});
  const knead::tests::Folder folder;
  const ShortRun whole = train(recipe, kWhole, nullptr, folder.path() / "whole");
  const ShortRun half = train(recipe, kHalf, nullptr, folder.path() / "half");

  const auto go_on = [&](const checkpoint::Snapshot& from, const std::string& name) {
    return engine::go_on(recipe, kWhole, from, folder.path() / "half", folder.path() / name);
  };

  const ShortRun rest = go_on(half.state, "rest");
  CHECK(rest.state.tensors == whole.state.tensors);
  CHECK(rest.losses == whole.losses);
  CHECK(rest.state.state["generator"] == whole.state.state["generator"]);

  for (std::size_t i = 0; i < kPieces.size(); ++i) {
    checkpoint::Snapshot lacking = half.state;
    kPieces[i].second(lacking);
    const ShortRun other = go_on(lacking, "without-" + std::to_string(i));
    INFO("without " << kPieces[i].first);
    CHECK((other.state.tensors != whole.state.tensors || other.losses != whole.losses));
  }
}
