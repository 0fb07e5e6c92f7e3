#include <cerrno>

#include <catch2/catch.hpp>

#include "runner/checkpoint/inspect.h"
#include "runner/checkpoint/rank_writer.h"
#include "runner/checkpoint/writer.h"
#include "runner/files/folders.h"
#include "tests/checkpoint/shards.h"
#include "tests/checkpoint/story.h"
#include "tests/files/faulty_files.h"

namespace knead::tests {

namespace {

namespace fs = std::filesystem;

const fs::path kFirst = fs::path(kCheckpoints) / "step-00000001";

std::vector<std::string> names_in(files::FileSystem& files, const fs::path& folder) {
  std::vector<std::string> out;
  for (const files::Entry& entry : files::list_sorted(files, folder)) out.push_back(entry.name);
  return out;
}

std::string refused_save(const std::function<void()>& act) {
  try {
    act();
  } catch (const checkpoint::SaveFailed& failure) {
    return failure.what() + std::string("\n") + failure.remedy();
  }
  return "";
}

}  // namespace

TEST_CASE("what several ranks have saved is read as what one has saved") {
  SimulatedFiles files(disk_for_run());
  checkpoint::Store store(files, kRun);
  store.recover();
  const checkpoint::Manifest first = save_by_two(files, store, 1);
  const checkpoint::Manifest second = save_alone(files, store, 2);
  CHECK(second.parent == checkpoint::Parent{1, first.digest});
  CHECK(names_in(files, kFirst) ==
        std::vector<std::string>{"manifest.json", "model-00001-of-00002.safetensors",
                                 "model-00002-of-00002.safetensors", "model.safetensors.index.json",
                                 "optimizer-00001-of-00002.safetensors",
                                 "optimizer-00002-of-00002.safetensors", "state.json"});
  CHECK(same(checkpoint::load_checkpoint(files, kRun, 1).snapshot, snapshot_of(1)));
  CHECK(files.disk.data(kFirst / "model.safetensors.index.json") == R"({
  "metadata": {
    "total_size": 16
  },
  "weight_map": {
    "0.bias": "model-00002-of-00002.safetensors",
    "0.weight": "model-00001-of-00002.safetensors"
  }
}
)");
  CHECK_THAT(files.disk.data(kFirst / "manifest.json"), Catch::Contains("\"version\": 2"));
  CHECK(files.open_files == 0);
  for (const checkpoint::Listed& listed : checkpoint::verify_checkpoints(files, kRun))
    CHECK(listed.damage == "");
}

TEST_CASE("a start that holds the state alone finds the same checkpoint, and damage too") {
  SimulatedFiles files(disk_for_run());
  {
    checkpoint::Store store(files, kRun);
    store.recover();
    save_by_two(files, store, 1);
    save_by_two(files, store, 2);
  }
  checkpoint::Store store(files, kRun);
  const checkpoint::Recovery recovery = store.recover(checkpoint::Hold::state);
  REQUIRE(recovery.found);
  CHECK(recovery.found->snapshot.parts.empty());
  CHECK(recovery.found->snapshot.state == snapshot_of(2).state);
  const fs::path part =
      fs::path(kCheckpoints) / "step-00000002" / "optimizer-00002-of-00002.safetensors";
  files.disk.data(part).back() ^= 1;
  const checkpoint::Recovery again =
      checkpoint::Store(files, kRun).recover(checkpoint::Hold::state);
  CHECK(again.found->manifest.step == 1);
  CHECK(again.notes.size() == 1);
}

TEST_CASE("a rank that fails is named, and nothing is published") {
  const auto save_with = [](int number) {
    SimulatedFiles under(disk_for_run());
    FaultyFiles files(under, [&](int, Call call, const fs::path& path) {
      const bool fails =
          call == Call::write && path.filename() == "optimizer-00002-of-00002.safetensors";
      return fails ? Fault{Fault::Kind::fail, number} : Fault{};
    });
    checkpoint::Store store(files, kRun);
    store.recover();
    std::string message = refused_save([&] { save_by_two(files, store, 1); });
    CHECK(names_in(under, kCheckpoints).empty());
    CHECK(under.open_files == 0);
    const std::size_t random = message.find(".tmp-");
    return random == std::string::npos ? message : message.replace(random, 37, ".tmp-…");
  };
  CHECK(save_with(EIO) ==
        "step 1 is not saved: rank 1: cannot write "
        "runs/digits/checkpoints/.tmp-…/optimizer-00002-of-00002.safetensors: Input/output error\n"
        "the checkpoints before it are untouched; look after the disk");
  CHECK(
      save_with(ENOSPC) ==
      "step 1 is not saved: rank 1: cannot write "
      "runs/digits/checkpoints/.tmp-…/optimizer-00002-of-00002.safetensors: No space left on "
      "device\n"
      "make room there, keep fewer checkpoints (checkpoint.keep), or set output to a larger disk");
}

TEST_CASE("a copy of a rank that is not what it held is not saved") {
  SimulatedFiles files(disk_for_run());
  checkpoint::Store store(files, kRun);
  store.recover();
  auto parts = cut_for_ranks(snapshot_of(1), 2, true);
  parts[1].parts[1].tensors[0].bytes[0] ^= std::byte{1};
  CHECK(refused_save([&] { store.seal(written_by_ranks(files, store, snapshot_of(1), parts)); }) ==
        "step 1 is not saved: rank 1: what was copied is not what the run held\n"
        "the memory of this machine may be damaged");
  CHECK(names_in(files, kCheckpoints).empty());
}

TEST_CASE("a save for which there is no space does not begin") {
  SimulatedFiles files(disk_for_run());
  checkpoint::Store store(files, kRun);
  store.recover();
  files.capacity = 8192;
  CHECK(
      refused_save([&] { save_by_two(files, store, 1); }) ==
      "step 1 is not saved: it needs 33 kB, and the file system at /simulated has 8.2 kB free\n"
      "make room there, keep fewer checkpoints (checkpoint.keep), or set output to a larger disk");
}

TEST_CASE("a step that is there is not saved again by several ranks, and never overwritten") {
  SimulatedFiles files(disk_for_run());
  checkpoint::Store store(files, kRun);
  store.recover();
  const checkpoint::Manifest first = save_by_two(files, store, 1);
  const auto before = files.disk.tree();
  CHECK(save_by_two(files, store, 1).digest == first.digest);
  CHECK(files.disk.tree() == before);
  const auto other = cut_for_ranks(snapshot_of(2), 2, true);
  CHECK(refused_save([&] { store.seal(written_by_ranks(files, store, snapshot_of(1), other)); }) ==
        "step 1 is not saved: runs/digits/checkpoints/step-00000001 is there with other tensors\n"
        "move it out of the folder");
  CHECK(files.disk.tree() == before);
}

TEST_CASE("a rank that outlives its run cannot write into the next one") {
  SimulatedFiles files(disk_for_run());
  checkpoint::Store store(files, kRun);
  store.recover();
  save_by_two(files, store, 1);
  const auto parts = cut_for_ranks(snapshot_of(2), 2, true);
  const fs::path folder = store.begin_shared(2, 1000);
  CHECK(checkpoint::write_parts(files, folder, parts[0]).failure == "");
  checkpoint::Store next(files, kRun);
  CHECK(next.recover().found->manifest.step == 1);
  CHECK(checkpoint::write_parts(files, folder, parts[1]).failure ==
        "cannot create " + (folder / "model-00002-of-00002.safetensors").string() +
            ": No such file or directory");
  save_by_two(files, next, 2);
  CHECK(names_in(files, kCheckpoints) ==
        std::vector<std::string>{"step-00000001", "step-00000002"});
}

TEST_CASE("ranks write in the background, and the writer publishes and rotates") {
  for (const bool in_background : {true, false}) {
    SimulatedFiles files(disk_for_run());
    checkpoint::Store store(files, kRun);
    store.recover();
    checkpoint::Writer writer(store, in_background);
    const checkpoint::Kept one{.last = 1, .best = {}, .stretch = {}};
    for (std::uint64_t step = 1; step <= 3; ++step) {
      const auto folder = writer.begin_shared(step, 1000);
      REQUIRE(folder);
      checkpoint::SharedSave save{
          step, *folder, snapshot_of(step).state, snapshot_of(step).facts, {}};
      for (checkpoint::RankParts& parts : cut_for_ranks(snapshot_of(step), 3, true)) {
        checkpoint::RankWriter rank(files, in_background);
        CHECK(rank.is_done());
        rank.start(*folder, std::move(parts));
        save.ranks.push_back(rank.take());
        CHECK(rank.is_done());
      }
      writer.seal(std::move(save), one);
      writer.wait();
      CHECK(writer.is_last_saved());
    }
    CHECK(writer.take().size() == 3);
    CHECK(names_in(files, kCheckpoints) == std::vector<std::string>{"step-00000003"});
    files.capacity = 0;
    CHECK_FALSE(writer.begin_shared(4, 1000));
    CHECK_FALSE(writer.is_last_saved());
    CHECK(std::get<checkpoint::NotSaved>(writer.take().at(0)).step == 4);
  }
}

}  // namespace knead::tests
