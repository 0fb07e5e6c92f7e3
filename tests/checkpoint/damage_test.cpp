#include <catch2/catch.hpp>

#include "runner/checkpoint/inspect.h"
#include "runner/checkpoint/names.h"
#include "tests/checkpoint/story.h"

namespace knead::tests {

namespace {

namespace fs = std::filesystem;

const fs::path kOlder = fs::path(kCheckpoints) / "step-00000001";
const fs::path kNewest = fs::path(kCheckpoints) / "step-00000002";
const std::vector<std::string> kParts = {"manifest.json", "model.safetensors",
                                         "optimizer.safetensors", "state.json"};
const std::vector<std::string> kPartsOfTwo = {"manifest.json",
                                              "model-00001-of-00002.safetensors",
                                              "model-00002-of-00002.safetensors",
                                              "model.safetensors.index.json",
                                              "optimizer-00001-of-00002.safetensors",
                                              "optimizer-00002-of-00002.safetensors",
                                              "state.json"};

/// Steps 1 and 2, both there.
Disk two_checkpoints(const Save& save = save_alone) {
  SimulatedFiles files(disk_for_run());
  checkpoint::Store store(files, kRun);
  store.recover();
  for (const std::uint64_t step : {1, 2}) save(files, store, step);
  return files.disk;
}

/// Checkpoints of one process and of two, with the names of their files.
std::vector<std::pair<Disk, std::vector<std::string>>> by_one_and_two() {
  return {{two_checkpoints(), kParts}, {two_checkpoints(save_by_two), kPartsOfTwo}};
}

/// How a start and a full check take a disk on which step 2 is damaged: the reason, or what is
/// wrong with them in capitals.
std::string reason(const Disk& disk) {
  SimulatedFiles files(disk);
  std::string verified;
  for (const checkpoint::Listed& listed : checkpoint::verify_checkpoints(files, kRun)) {
    if (listed.folder == kNewest && !listed.manifest) verified = listed.damage;
    if (listed.folder == kOlder && !listed.manifest) return "STEP 1 IS BLAMED: " + listed.damage;
  }
  if (verified.empty()) return "NOT FOUND BY VERIFY";
  const checkpoint::Recovery recovery = checkpoint::Store(files, kRun).recover();
  if (!recovery.found || recovery.found->manifest.step != 1) return "NOT FOUND BY A START";
  if (!same(recovery.found->snapshot, snapshot_of(1))) return "STEP 1 IS ANOTHER ONE";
  const std::string note =
      "step-00000002 cannot be used (" + verified + "): it is kept as bad-step-00000002-1";
  if (recovery.notes != std::vector{note}) return "OTHER NOTES: " + recovery.notes.front();
  if (!files.disk.find(fs::path(kCheckpoints) / "bad-step-00000002-1")) return "NOT KEPT";
  return verified;
}

void must_name(const std::string& part, const Disk& disk, const std::string& what) {
  const std::string why = reason(disk);
  if (!why.starts_with(part)) FAIL(what << " of " << part << ": " << why);
}

/// Exchanges, lengthens, cuts and removes a file of the newest checkpoint: each must be found.
void lose(const Disk& whole, const std::string& part) {
  Disk disk = whole;
  // The index of a model is that of every step.
  if (part != checkpoint::kIndexFile) {
    disk.data(kNewest / part) = disk.data(kOlder / part);
    must_name(part, disk, "a stale copy");
  }

  disk = whole;
  disk.data(kNewest / part) += '\0';
  must_name(part, disk, "a byte more");

  disk = whole;
  std::string& data = disk.data(kNewest / part);
  std::fill(data.end() - 20, data.end(), '\0');
  must_name(part, disk, "a tail of zeros");

  disk = whole;
  SimulatedFiles files(disk);
  files.remove_file(kNewest / part);
  CHECK(reason(files.disk) == part + " is missing");

  files.make_folder(kNewest / part);
  must_name(part == "manifest.json" ? "cannot read" : "cannot", files.disk, "a folder");
}

}  // namespace

TEST_CASE("a flipped bit at any byte of a checkpoint is found, and the one before is used") {
  for (const auto& [whole, parts] : by_one_and_two()) {
    int flipped = 0;
    for (const std::string& part : parts) {
      const std::size_t size = Disk(whole).data(kNewest / part).size();
      for (std::size_t at = 0; at < size; ++at) {
        Disk disk = whole;
        disk.data(kNewest / part)[at] ^= static_cast<char>(1 << at % 8);
        must_name(part, disk, "bit of byte " + std::to_string(at));
        ++flipped;
      }
    }
    CHECK(flipped > 800);
  }
}

TEST_CASE("a file cut off anywhere is found, and the checkpoint before is used") {
  for (const auto& [whole, parts] : by_one_and_two()) {
    for (const std::string& part : parts) {
      const std::size_t size = Disk(whole).data(kNewest / part).size();
      for (std::size_t length = 0; length < size; ++length) {
        Disk disk = whole;
        disk.data(kNewest / part).resize(length);
        must_name(part, disk, "the first " + std::to_string(length) + " bytes");
      }
    }
  }
}

TEST_CASE("files that were exchanged, replaced, lengthened or lost are found") {
  for (const auto& [whole, parts] : by_one_and_two())
    for (const std::string& part : parts) lose(whole, part);
  const Disk whole = two_checkpoints();
  Disk disk = whole;
  std::swap(disk.data(kNewest / "model.safetensors"), disk.data(kNewest / "optimizer.safetensors"));
  must_name("model.safetensors", disk, "the bytes of the other part");
}

TEST_CASE("a checkpoint under the name of another step is found") {
  SimulatedFiles files(two_checkpoints());
  for (const std::string& part : kParts) files.remove_file(kNewest / part);
  files.remove_folder(kNewest);
  files.rename_new(kOlder, kNewest);
  CHECK_THROWS_WITH(checkpoint::Store(files, kRun).recover(),
                    "no checkpoint in runs/digits/checkpoints can be used "
                    "(step-00000002: manifest.json is that of step 1)");
}

TEST_CASE("reasons name the file, what is there and what should be") {
  const Disk whole = two_checkpoints();
  Disk disk = whole;
  disk.data(kNewest / "state.json") += "  ";
  CHECK(reason(disk) == "state.json has 26 bytes, not 24");
  disk = whole;
  disk.data(kNewest / "state.json").back() = ']';
  CHECK_THAT(reason(disk), Catch::Matches("state.json is not as it was written: its digest is "
                                          "[0-9a-f]{32}, not [0-9a-f]{32}"));
  disk = whole;
  disk.data(kNewest / "manifest.json")[10] ^= 1;
  CHECK(reason(disk) == "manifest.json is not as it was written: its last line is not its digest");
  disk = whole;
  disk.data(kNewest / "manifest.json").resize(3);
  CHECK(reason(disk) == "manifest.json is cut short");
}

TEST_CASE("where no checkpoint is good the run does not begin anew, and nothing is moved") {
  Disk disk = two_checkpoints();
  disk.data(kNewest / "state.json").resize(1);
  disk.data(kOlder / "model.safetensors").resize(1);
  SimulatedFiles files(disk);
  const auto before = files.disk.tree();
  const char* message =
      "no checkpoint in runs/digits/checkpoints can be used "
      "(step-00000002: state.json has 1 bytes, not 24)";
  for (int start = 1; start <= 2; ++start) {
    try {
      checkpoint::Store(files, kRun).recover();
      FAIL("it began");
    } catch (const Error& error) {
      CHECK(error.what() == std::string(message));
      CHECK(error.remedy() ==
            "bring back a good copy, or begin anew with --fresh; the old run is "
            "then kept as runs/digits.old-1");
      CHECK(error.code() == Exit::not_usable);
    }
    CHECK(files.disk.tree() == before);
  }
}

TEST_CASE("a checkpoint that was set aside still means that there was a run") {
  Disk disk = two_checkpoints();
  disk.data(kNewest / "state.json").resize(1);
  SimulatedFiles files(disk);
  checkpoint::Store(files, kRun).recover();
  for (const std::string& part : kParts) files.remove_file(kOlder / part);
  files.remove_folder(kOlder);
  CHECK_THROWS_WITH(checkpoint::Store(files, kRun).recover(),
                    "no checkpoint in runs/digits/checkpoints can be used (all were set aside as "
                    "damaged before)");
}

TEST_CASE("the second bad one of a step gets the next number") {
  SimulatedFiles files(two_checkpoints());
  for (int n = 1; n <= 2; ++n) {
    files.disk.data(kNewest / "state.json").resize(1);
    checkpoint::Store store(files, kRun);
    CHECK(store.recover().notes.size() == 1);
    CHECK(files.disk.find(fs::path(kCheckpoints) / ("bad-step-00000002-" + std::to_string(n))));
    store.save(snapshot_of(2));
  }
}

}  // namespace knead::tests
