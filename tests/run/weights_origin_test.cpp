#include "runner/run/weights_origin.h"

#include <catch2/catch.hpp>

#include "runner/run/names.h"
#include "schema/document/error.h"
#include "tests/checkpoint/shards.h"
#include "tests/run/saved_run.h"

using namespace knead;

namespace {

/// A run with steps 10 and 20, whose best is 10.
void make_run(const tests::Folder& folder) {
  tests::save_steps(folder.path(), {10, 20});
  folder.write(run::kResolvedFile, "version: 1\nevaluate:\n  monitor: validation/loss\n");
  folder.write("evaluations.jsonl",
               "{\"step\":10,\"set\":\"validation\",\"loss\":0.25,\"seconds\":0}\n"
               "{\"step\":20,\"set\":\"validation\",\"loss\":0.5,\"seconds\":0}\n");
}

}  // namespace

TEST_CASE("the weights of a run are those of its best checkpoint") {
  const tests::Folder folder;
  make_run(folder);
  const run::WeightsOrigin origin = run::find_origin(folder.path());
  CHECK(origin.file == folder / "checkpoints/step-00000010/model.safetensors");
  CHECK(origin.averages.empty());
  CHECK(origin.words == folder.path().string() + ", step 10 (its best)");
  CHECK(origin.left_out.empty());
  CHECK(origin.identity == run::identity_of_folder(folder.path()));
}

TEST_CASE("a damaged checkpoint does not lend its weights, and that is said") {
  const tests::Folder folder;
  make_run(folder);
  tests::flip_last_bit(folder / "checkpoints/step-00000010/model.safetensors");
  const run::WeightsOrigin origin = run::find_origin(folder.path());
  CHECK(origin.file == folder / "checkpoints/step-00000020/model.safetensors");
  CHECK(origin.words == folder.path().string() + ", step 20 (its last)");
  REQUIRE(origin.left_out.size() == 1);
  CHECK(origin.left_out[0].starts_with("step-00000010 is left out: model.safetensors"));
}

TEST_CASE("a checkpoint that is named itself is refused if it is damaged") {
  const tests::Folder folder;
  make_run(folder);
  const auto checkpoint = folder / "checkpoints/step-00000010";
  CHECK(run::find_origin(checkpoint).words == checkpoint.string() + ", step 10");
  tests::flip_last_bit(checkpoint / "model.safetensors");
  CHECK_THROWS_WITH(run::find_origin(checkpoint), Catch::Contains("model.safetensors is damaged"));
}

TEST_CASE("the weights that several ranks have saved are those of their index, with all averages") {
  const tests::Folder folder;
  std::filesystem::create_directories(folder.path());
  files::PosixFiles disk;
  checkpoint::Store store(disk, folder.path());
  store.recover();
  checkpoint::Snapshot snapshot;
  snapshot.step = 10;
  const files::TensorBytes weight{"weight", "F32", {2}, files::OwnBytes(8, std::byte{})};
  for (const char* file : {"model.safetensors", "average.safetensors"})
    snapshot.parts.push_back({file, {weight}, {}});
  store.seal(
      tests::written_by_ranks(disk, store, snapshot, tests::cut_for_ranks(snapshot, 2, true)));
  const auto checkpoint = folder / "checkpoints/step-00000010";
  const run::WeightsOrigin origin = run::find_origin(checkpoint);
  CHECK(origin.file == checkpoint / "model.safetensors.index.json");
  CHECK(origin.averages ==
        std::vector<std::filesystem::path>{checkpoint / "average-00001-of-00002.safetensors",
                                           checkpoint / "average-00002-of-00002.safetensors"});
  CHECK(origin.identity == run::identity_of_folder(checkpoint));
  CHECK(origin.identity.size() == 4 * 32 + 3);
  for (const char* file : {"model-00002-of-00002.safetensors", "model.safetensors.index.json",
                           "average-00001-of-00002.safetensors"}) {
    tests::flip_last_bit(checkpoint / file);
    CHECK_THROWS_WITH(run::find_origin(checkpoint),
                      Catch::Contains(std::string(file) + " is damaged"));
    tests::flip_last_bit(checkpoint / file);
  }
}

TEST_CASE("a run that has not saved is one, without weights") {
  const tests::Folder folder;
  folder.write("LOCK", "");
  CHECK_THROWS_WITH(run::find_origin(folder.path()), Catch::Contains("holds no checkpoint"));
  CHECK_FALSE(run::identity_of_folder(folder.path()));
}

TEST_CASE("another folder is refused, with what may be meant in it") {
  const tests::Folder folder;
  folder.write("a/LOCK", "");
  folder.write("b/c", "");
  folder.write("d.pt", "");
  CHECK_THROWS_WITH(run::find_origin(folder.path()),
                    Catch::Contains("is a folder, neither of a run nor of a checkpoint"));
}
