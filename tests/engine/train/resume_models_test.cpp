#include <sstream>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>

#include "runner/engine/device/generators.h"
#include "runner/engine/device/start.h"
#include "runner/engine/job/job.h"
#include "runner/engine/train/evaluated_weights.h"
#include "runner/engine/train/snapshot.h"
#include "schema/document/error.h"
#include "tests/engine/model/archive_at.h"
#include "tests/engine/train/short_run.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine {
namespace {

using Overrides = std::vector<std::string>;

const Overrides kClasses{"LSTM",        "ProjectedLSTM", "GRU",  "RNN",     "Cells",
                         "Convolution", "Attention",     "Tied", "OwnLists"};

/// The classes of tests/models/kinds.py that tools/record_archives has scripted or traced.
const Overrides kArchives{"scripted_lstm",      "scripted_gru",      "scripted_convolution",
                          "scripted_attention", "scripted_tied",     "scripted_own_lists",
                          "traced_lstm",        "traced_convolution"};

std::string class_of(const std::string& file, const std::string& name) {
  return "model={source: " KNEAD_ROOT "/tests/models/" + file + ", class: " + name + "}";
}

std::vector<std::string> all_models() {
  std::vector<std::string> models;
  for (const std::string& name : kClasses) models.push_back(class_of("kinds.py", name));
  for (const std::string& name : kArchives)
    models.push_back("model={archive: " KNEAD_ROOT "/tests/fixtures/archives/" + name + ".pt}");
  return models;
}

/// Models that can be neither compiled nor exported.
std::vector<std::string> interpreted_models() {
  std::vector<std::string> models;
  for (const char* name : {"Remembering", "Momentum", "Recurrent", "Placed"})
    models.push_back(class_of("interpreted_kinds.py", name));
  return models;
}

std::vector<std::string> all_that_train() {
  std::vector<std::string> models = all_models();
  for (const std::string& each : interpreted_models()) models.push_back(each);
  return models;
}

/// Ways to train in which what a model keeps is taken out and put back.
const std::vector<Overrides> kWays{
    {},
    {"average={type: ema, decay: 0.5}"},
    {"precision={compute: fp16, scaler: {init: 1e9, interval: 2}}", "non_finite={action: skip}"}};

/// oneDNN, which computes LSTMs, has none for fp16 on most processors; PyTorch refuses it too.
bool can_train(const std::string& model, const Overrides& way) {
  const bool is_lstm = model.find("class: LSTM") != model.npos ||
                       model.find("_lstm.pt") != model.npos ||
                       model.find("class: Recurrent") != model.npos;
  return !is_lstm || way.empty() || !way.front().starts_with("precision=");
}

recipe::Recipe recipe_of(const std::string& model, const Overrides& way) {
  Overrides all{"model=null", "train=7 steps", "evaluate.every=2 steps",
                "schedule={type: constant}", "batch.micro=32"};
  all.push_back(model);
  all.insert(all.end(), way.begin(), way.end());
  return short_recipe("diabetes", all);
}

bool is_as_whole(const ShortRun& rest, const ShortRun& whole) {
  return rest.state.tensors == whole.state.tensors && rest.losses == whole.losses &&
         rest.evaluations == whole.evaluations &&
         rest.state.state["attributes"] == whole.state.state["attributes"];
}

/// The model of a run as its best weights have it: of the average, where there is one.
std::unique_ptr<model::Model> evaluated_model(const recipe::Recipe& recipe, const ShortRun& run) {
  Job job = prepare(recipe);
  restore_evaluated_weights(*job.trained.model, run.state);
  job.trained.model->train(false);
  return std::move(job.trained.model);
}

std::unique_ptr<model::Model> exported(const model::Model& model) {
  const tests::Folder folder;
  std::ostringstream archive;
  model.save(archive);
  auto loaded = archive_at(folder.write("model.pt", archive.str()));
  loaded->train(false);
  return loaded;
}

}  // namespace

TEST_CASE("a run of any kind of model goes on from any step as if it had not stopped") {
  start_torch({1, true});
  constexpr std::uint64_t kSteps = 7;
  const std::string model = GENERATE(from_range(all_that_train()));
  const Overrides way = GENERATE(from_range(kWays));
  if (!can_train(model, way)) return;
  INFO(model << (way.empty() ? "" : ", " + way.front()));
  const recipe::Recipe recipe = recipe_of(model, way);
  const tests::Folder folder;
  const ShortRun whole = train(recipe, kSteps, nullptr, folder.path() / "whole");
  CHECK(whole.state.step == kSteps);
  for (std::uint64_t stop = 1; stop < kSteps; ++stop) {
    INFO("stopped after step " << stop);
    const auto half = folder.path() / ("half-" + std::to_string(stop));
    const ShortRun stopped = train(recipe, stop, nullptr, half);
    const ShortRun rest = go_on(recipe, kSteps, stopped.state, half,
                                folder.path() / ("rest-" + std::to_string(stop)));
    CHECK(is_as_whole(rest, whole));
  }
}

TEST_CASE("the interpreted models of these tests cannot be compiled") {
  start_torch({1, true});
  const std::string model = GENERATE(from_range(interpreted_models()));
  const Job job = prepare(recipe_of(model, {}));
  REQUIRE(job.trained.model->warnings().size() == 1);
  CHECK_THAT(job.trained.model->warnings().front(), Catch::Contains("is interpreted"));
}

TEST_CASE("evaluations change nothing in training, whatever a model keeps") {
  start_torch({1, true});
  const std::string model = GENERATE(from_range(all_that_train()));
  INFO(model);
  const tests::Folder folder;
  const auto run = [&](const char* every) {
    return train(recipe_of(model, {every}), 7, nullptr, folder.path() / every);
  };
  CHECK(run("evaluate.every=1 step").state.tensors ==
        run("evaluate.every=1000 steps").state.tensors);
}

TEST_CASE("an archive computes what the weights do that it was exported with, and trains all") {
  start_torch({1, true});
  const std::string model = GENERATE(from_range(all_models()));
  const Overrides way = GENERATE(from_range(kWays));
  if (!can_train(model, way)) return;
  INFO(model << (way.empty() ? "" : ", " + way.front()));
  const recipe::Recipe recipe = recipe_of(model, way);
  const tests::Folder folder;
  const auto trained = evaluated_model(recipe, train(recipe, 7, nullptr, folder.path()));
  const auto loaded = exported(*trained);
  const std::vector<c10::IValue> inputs{at::rand({5, 10})};
  seed_generator(3);  // a trace may draw for dropout in evaluation too
  const at::Tensor output = loaded->forward(inputs).toTensor();
  seed_generator(3);
  CHECK(at::equal(output, trained->forward(inputs).toTensor()));
  loaded->train(true);
  loaded->forward({at::rand({5, 10})}).toTensor().sum().backward();
  for (const NamedTensor& parameter : loaded->parameters()) {
    INFO(parameter.name);
    CHECK(parameter.tensor.grad().defined());
  }
  // Forward reads the parameters themselves, not copies of them.
  loaded->train(false);
  {
    const at::NoGradGuard no_gradients;
    for (const NamedTensor& parameter : loaded->parameters()) parameter.tensor.zero_();
  }
  CHECK(loaded->forward(inputs).toTensor().abs().sum().item<double>() == 0);
}

TEST_CASE("recurrent layers recompute their activations") {
  start_torch({1, true});
  const std::string name = GENERATE("LSTM", "GRU", "RNN", "ProjectedLSTM");
  const std::string model = class_of("kinds.py", name);
  const tests::Folder folder;
  const ShortRun plain = train(recipe_of(model, {}), 7, nullptr, folder.path() / "plain");
  const ShortRun again = train(recipe_of(model, {"activation_checkpointing=[rnn]"}), 7, nullptr,
                               folder.path() / "again");
  CHECK(again.state.tensors == plain.state.tensors);
  CHECK(again.losses == plain.losses);
}

TEST_CASE("a layer that this processor cannot compute in half precision says so") {
  start_torch({1, true});
  const std::string model = all_models().front();
  const tests::Folder folder;
  std::string words = "no error";  // where oneDNN has this kernel
  try {
    train(recipe_of(model, kWays.back()), 1, nullptr, folder.path());
  } catch (const Error& error) {
    words = error.remedy();
  }
  CHECK((words == "no error" || words == "write precision: fp32"));
}

TEST_CASE("every parameter of a scripted archive is trained, counted and saved") {
  start_torch({1, true});
  const auto names = [](const model::Model& model) {
    std::vector<std::string> found;
    for (const NamedTensor& each : model.parameters()) found.push_back(each.name);
    return found;
  };
  const Job source = prepare(recipe_of(all_models()[5], {}));
  const auto archive = archive_at(KNEAD_ROOT "/tests/fixtures/archives/scripted_convolution.pt");
  CHECK(names(*archive) == names(*source.trained.model));
  const auto attention = archive_at(KNEAD_ROOT "/tests/fixtures/archives/scripted_attention.pt");
  CHECK(names(*attention) == names(*prepare(recipe_of(all_models()[6], {})).trained.model));
}

}  // namespace knead::engine
