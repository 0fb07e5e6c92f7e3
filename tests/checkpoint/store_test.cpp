#include <sys/stat.h>

#include <cmath>

#include <catch2/catch.hpp>

#include "runner/checkpoint/inspect.h"
#include "runner/files/folders.h"
#include "runner/files/posix_files.h"
#include "tests/checkpoint/story.h"
#include "tests/folder.h"

namespace knead::tests {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> names(files::FileSystem& files) {
  std::vector<std::string> out;
  for (const files::Entry& entry : files::list_sorted(files, kCheckpoints)) {
    out.push_back(entry.name);
  }
  return out;
}

const checkpoint::Kept kOne{.last = 1, .best = {}, .stretch = {}};

}  // namespace

TEST_CASE(
    "what was saved on a real disk comes back, and the next start goes on with the same run") {
  const Folder folder;
  fs::current_path(folder.path());
  files::PosixFiles files;
  files::make_folders(files, kRun);
  std::string run;
  {
    checkpoint::Store store(files, kRun);
    CHECK_FALSE(store.recover().found);
    run = store.run();
    CHECK(run.size() == 32);
    const checkpoint::Manifest first = store.save(snapshot_of(500));
    CHECK_FALSE(first.parent);
    const checkpoint::Manifest second = store.save(snapshot_of(1000));
    CHECK(second.parent == checkpoint::Parent{500, first.digest});
  }
  checkpoint::Store store(files, kRun);
  const checkpoint::Recovery recovery = store.recover();
  REQUIRE(recovery.found);
  CHECK(recovery.notes.empty());
  CHECK(same(recovery.found->snapshot, snapshot_of(1000)));
  CHECK(recovery.found->snapshot.parts.at(1).metadata == files::Metadata{{"type", "adamw"}});
  CHECK(store.run() == run);
  CHECK(store.save(snapshot_of(1500)).parent ==
        checkpoint::Parent{1000, recovery.found->manifest.digest});
  CHECK(same(checkpoint::load_checkpoint(files, kRun, 500).snapshot, snapshot_of(500)));
  CHECK_THROWS_WITH(checkpoint::load_checkpoint(files, kRun, 7),
                    "runs/digits has no checkpoint of step 7");
  CHECK(names(files) ==
        std::vector<std::string>{"step-00000500", "step-00001000", "step-00001500"});
  for (const checkpoint::Listed& listed : checkpoint::verify_checkpoints(files, kRun)) {
    CHECK(listed.damage == "");
  }
}

TEST_CASE("files and folders of a checkpoint are their owner's alone, whatever the umask") {
  for (const mode_t mask : {0000, 0077}) {
    const Folder folder;
    fs::current_path(folder.path());
    const mode_t before = ::umask(mask);
    files::PosixFiles files;
    files::make_folders(files, kRun);
    checkpoint::Store store(files, kRun);
    store.recover();
    store.save(snapshot_of(1));
    ::umask(before);
    for (const auto& entry : fs::recursive_directory_iterator("runs")) {
      CHECK(entry.status().permissions() == (entry.is_directory()
                                                 ? fs::perms::owner_all
                                                 : fs::perms::owner_read | fs::perms::owner_write));
    }
  }
}

TEST_CASE("a step that is there is not saved again, and never overwritten") {
  SimulatedFiles files(disk_for_run());
  checkpoint::Store store(files, kRun);
  store.recover();
  const checkpoint::Manifest first = store.save(snapshot_of(5));
  const auto before = files.disk.tree();
  CHECK(store.save(snapshot_of(5)).digest == first.digest);
  checkpoint::Snapshot other = snapshot_of(6);
  other.step = 5;
  CHECK_THROWS_WITH(
      store.save(other),
      "step 5 is not saved: runs/digits/checkpoints/step-00000005 is there with other tensors");
  CHECK(files.disk.tree() == before);
}

TEST_CASE("a copy that is not what the run held is not saved") {
  SimulatedFiles files(disk_for_run());
  checkpoint::Store store(files, kRun);
  store.recover();
  checkpoint::Snapshot snapshot = snapshot_of(5);
  snapshot.parts[0].tensors[0].bytes[2] ^= std::byte{1};
  CHECK_THROWS_WITH(store.save(snapshot),
                    "step 5 is not saved: what was copied is not what the run held");
  CHECK(names(files).empty());
}

TEST_CASE("a state that a file cannot hold is a mistake of the program") {
  SimulatedFiles files(disk_for_run());
  checkpoint::Store store(files, kRun);
  store.recover();
  checkpoint::Snapshot snapshot = snapshot_of(5);
  snapshot.state["loss"] = std::nan("");
  CHECK_THROWS_AS(store.save(snapshot), std::invalid_argument);
  snapshot = snapshot_of(5);
  snapshot.facts["metrics"] = {{"loss", std::nan("")}, {"best", -INFINITY}};
  const nlohmann::json words = {{"loss", "NaN"}, {"best", "-Infinity"}};
  CHECK(store.save(snapshot).facts["metrics"] == words);
}

TEST_CASE("checkpoints of two runs in one folder are refused") {
  SimulatedFiles files(disk_for_run());
  for (const std::uint64_t step : {1, 2}) {
    checkpoint::Store store(files, kRun);
    store.recover();
    store.save(snapshot_of(step));
    // Hidden from the second run, which so gets an id of its own.
    if (step == 1) files.rename(fs::path(kRun) / "checkpoints", fs::path(kRun) / "hidden");
  }
  files.disk.nodes[*files.disk.find(fs::path(kRun) / "checkpoints")].names["step-00000001"] =
      *files.disk.find(fs::path(kRun) / "hidden/step-00000001");
  CHECK_THROWS_WITH(
      checkpoint::Store(files, kRun).recover(),
      "runs/digits/checkpoints has checkpoints of two runs: step-00000001 and step-00000002");
}

TEST_CASE("what is not ours is never touched") {
  SimulatedFiles files(disk_for_run());
  checkpoint::Store store(files, kRun);
  store.recover();
  store.save(snapshot_of(1));
  for (const char* folder : {"step-1", "notes", ".tmp-", ".tmp-mine", "bad-step-00000001-1"}) {
    files.make_folder(fs::path(kCheckpoints) / folder);
  }
  files.close(files.create(fs::path(kCheckpoints) / "step-00000001" / "notes.txt"));
  files.close(files.create(fs::path(kCheckpoints) / "step-00000007"));
  store.save(snapshot_of(2));
  const checkpoint::Rotation first = store.rotate(kOne);
  CHECK(first.removed.empty());
  CHECK(first.warnings ==
        std::vector<std::string>{"step-00000001 stays: notes.txt in it is not its own"});
  store.save(snapshot_of(3));
  const checkpoint::Rotation second = store.rotate(kOne);
  CHECK(second.removed == std::vector<std::uint64_t>{2});
  CHECK(second.warnings.empty());  // said once
  CHECK(names(files) == std::vector<std::string>{".tmp-", ".tmp-mine", "bad-step-00000001-1",
                                                 "notes", "step-00000001", "step-00000003",
                                                 "step-00000007", "step-1"});
}

TEST_CASE("a checkpoint of a later format is refused, not set aside") {
  SimulatedFiles files(disk_for_run());
  checkpoint::Store store(files, kRun);
  store.recover();
  store.save(snapshot_of(1));
  store.save(snapshot_of(2));
  std::string& text = files.disk.data(fs::path(kCheckpoints) / "step-00000002/manifest.json");
  const std::string mine = "\"version\": 1";
  text.replace(text.find(mine), mine.size(), "\"version\": 3");
  const std::size_t last = text.rfind(" \"digest\"");
  const std::string digest = files::digest(text.substr(0, last));
  text.replace(text.find('"', last + 10) + 1, digest.size(), digest);
  CHECK_THROWS_WITH(checkpoint::Store(files, kRun).recover(),
                    "the checkpoint of step 2 has format version 3, this knead reads up to 2");
  CHECK(names(files) == std::vector<std::string>{"step-00000001", "step-00000002"});
}

}  // namespace knead::tests
