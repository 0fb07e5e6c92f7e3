#include <algorithm>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/checkpoint/inspect.h"
#include "runner/checkpoint/names.h"
#include "runner/engine/device/start.h"
#include "runner/engine/job/divide.h"
#include "runner/engine/step/update.h"
#include "runner/engine/train/ranks.h"
#include "runner/engine/train/restore.h"
#include "runner/engine/train/saves.h"
#include "runner/files/posix_files.h"
#include "runner/files/safetensors.h"
#include "tests/engine/train/short_run.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine {
namespace {

namespace fs = std::filesystem;

/// Describes how a run is divided among ranks.
struct Ranks {
  int count = 1;
  std::string strategy = "data_parallel";
  int replicas = 1;
};

std::string words(const Ranks& ranks) {
  return fmt::format("distributed={{ranks: {}, strategy: {}, replicas: {}}}", ranks.count,
                     ranks.strategy, ranks.replicas);
}

/// Divisions in which each rank has the model whole between updates.
const std::vector<Ranks> kWhole{{},           {2},          {2, "zero1"},   {3, "zero2"},
                                {4, "zero1"}, {4, "zero2"}, {4, "zero1", 2}};

/// Divisions in which a rank has only its pieces, and others.
const std::vector<Ranks> kDivided{{}, {2, "zero2"}, {2, "zero3"}, {3, "zero3"}, {4, "zero3", 2}};

/// Takes four updates, unless it restores the newest checkpoint of `from`; then saves in `to`.
void live(const recipe::Recipe& recipe, const fs::path& from, const fs::path& to,
          parallel::Group& group) {
  const Start start = from.empty() ? Start::begins : Start::resumes;
  const auto job =
      std::make_unique<Job>(prepare(recipe, start, data::Augmentation::drawn, group.ranks()));
  job->group = {std::shared_ptr<void>(), &group};
  files::PosixFiles disk;
  checkpoint::Recovery found;
  if (!from.empty() && group.is_first())
    found = checkpoint::Store(disk, from)
                .recover(divides(recipe, group.ranks()) ? checkpoint::Hold::state
                                                        : checkpoint::Hold::tensors);
  run::Progress progress;
  begin_on_ranks(*job, start);
  if (!from.empty())
    restore_on_ranks(*job, progress, from, found.found ? &found.found->snapshot : nullptr);
  track::Console console({false, [] { return 80; }, [](std::string_view) {}, [] { return 0.0; }},
                         {});
  track::Tracker tracker = group.is_first() ? track::Tracker(to, job->course.objective, {}, console)
                                            : track::Tracker(job->course.objective, {}, console);
  checkpoint::Store store(disk, to);
  std::optional<run::Saver> saver;
  if (group.is_first()) {
    store.recover();
    saver.emplace(job->recipe, job->course.windows, store, tracker, console, 0);
  }
  Saves saves(*job, progress, tracker, saver ? &*saver : nullptr, disk, to, {});
  if (from.empty()) {
    Updates updates(*job, progress, {.end = 4, .warn = [](const std::string&) {}});
    job->trained.model->train(true);
    for (int step = 0; step < 4; ++step) updates.make(1);
    updates.settle();
  }
  saves.save_now();
}

/// Calls live() in a process for each rank, as a run does.
void in_processes(const recipe::Recipe& recipe, const fs::path& from, const fs::path& to) {
  const knead::tests::Folder folder;
  const auto ranks = static_cast<int>(recipe.distributed.ranks.value());
  std::vector<pid_t> children;
  for (int rank = 0; rank < ranks; ++rank) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    try {
      start_torch({});
      parallel::Group group({.rank = rank,
                             .ranks = ranks,
                             .local_rank = rank,
                             .local_ranks = ranks,
                             .rendezvous = (folder.path() / "rendezvous").string(),
                             .start = "a test",
                             .timeout = 60});
      live(recipe, from, to, group);
      ::_exit(0);
    } catch (const std::exception& error) {
      fmt::print(stderr, "rank {}: {}\n", rank, error.what());
      ::_exit(1);
    }
  }
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
}

/// Holds the tensors of one checkpoint, joined if several ranks have saved it.
struct Held {
  std::string tensors;
  nlohmann::json progress, averaged;
  std::size_t parts = 0;

  bool operator==(const Held& other) const {
    return tensors == other.tensors && progress == other.progress && averaged == other.averaged;
  }
};

Held run_ranks(const std::string& name, const std::vector<std::string>& overrides,
               const Ranks& ranks, const fs::path& from, const fs::path& to) {
  std::vector<std::string> all = overrides;
  all.push_back(words(ranks));
  const recipe::Recipe recipe = short_recipe(name, all);
  fs::create_directories(to);
  in_processes(recipe, from, to);
  files::PosixFiles disk;
  const checkpoint::Found found = checkpoint::load_checkpoint(disk, to, 4);
  const nlohmann::json& state = found.snapshot.state;
  return {found.snapshot.tensors, state.at("progress"), state.value("averaged", nlohmann::json()),
          found.manifest.files.size()};
}

/// Saves with each division and loads with each other one: the state must be the same, bit for bit.
void expect_exchangeable(const std::string& name, const std::vector<std::string>& overrides,
                         const std::vector<Ranks>& divisions) {
  const knead::tests::Folder folder;
  for (std::size_t i = 0; i < divisions.size(); ++i) {
    const fs::path saved = folder.path() / std::to_string(i);
    const Held first = run_ranks(name, overrides, divisions[i], "", saved);
    for (std::size_t j = 0; j < divisions.size(); ++j) {
      INFO(overrides.front() << "; saved by " << words(divisions[i]) << ", loaded by "
                             << words(divisions[j]));
      const Held second = run_ranks(name, overrides, divisions[j], saved,
                                    folder.path() / fmt::format("{}-{}", i, j));
      CHECK(second == first);
    }
  }
}

}  // namespace

TEST_CASE("the state that any ranks have saved is loaded by any others, bit for bit") {
  expect_exchangeable(
      "diabetes",
      {"optimizer={type: adamw, lr: 0.01, amsgrad: true}", "average={type: ema, decay: 0.5}",
       "model.freeze=['*.bias']", "distributed.bucket=1 kB"},
      kWhole);
}

TEST_CASE("so is that of ranks that have pieces of the parameters only") {
  expect_exchangeable("digits",
                      {"optimizer={type: adamw, lr: 0.01}", "average={type: ema, decay: 0.5}",
                       "model.freeze=['layers.0.weight']"},
                      kDivided);
}

TEST_CASE("so is that of optimizers with other states, and of those that need whole tensors") {
  for (const char* optimizer :
       {"sgd, momentum: 0.9", "lamb", "adafactor", "muon, groups: [{ndim_below: 2, adamw: {}}]"})
    expect_exchangeable("digits",
                        {fmt::format("optimizer={{type: {}, lr: 0.01}}", optimizer),
                         "average={type: swa, start: 2 steps}"},
                        {{}, {3, "zero1"}, {4, "zero2", 2}, {3, "zero3"}});
}

TEST_CASE("a checkpoint of ranks has the files of all, and its parts divide it") {
  const knead::tests::Folder folder;
  const Held held = run_ranks("digits", {"optimizer={type: adam, lr: 0.01}"}, {4, "zero1", 2}, "",
                              folder / "run");
  CHECK(held.parts == 2 + 2 + 2);  // of the model, of the optimizer, its index and the state
  files::PosixFiles disk;
  std::vector<std::uint64_t> bytes;
  for (const checkpoint::Listed& listed : checkpoint::verify_checkpoints(disk, folder / "run")) {
    CHECK(listed.damage == "");
    for (const auto& [name, facts] : listed.manifest->files) {
      const auto shard = checkpoint::shard_of(name);
      if (!shard || shard->file != checkpoint::kOptimizerFile) continue;
      bytes.push_back(0);
      const files::OpenFile file(listed.folder / name);
      for (const auto& tensor : files::read_safetensors_header(file).tensors)
        bytes.back() += tensor.end - tensor.begin;
    }
  }
  REQUIRE(bytes.size() == 2);
  // Two moments of half of the numbers, and a count for each piece.
  const auto [smaller, larger] = std::minmax(bytes[0], bytes[1]);
  CHECK(static_cast<double>(larger) < 1.01 * static_cast<double>(smaller));
}

}  // namespace knead::engine
