#include <cerrno>
#include <cstring>

#include <catch2/catch.hpp>

#include "tests/checkpoint/story.h"
#include "tests/files/faulty_files.h"

namespace knead::tests {

namespace {

namespace fs = std::filesystem;

/// What a run lived through on a disk that fails.
struct Lived {
  std::uint64_t saved = 0;
  int failed_saves = 0;
  bool started = false;
};

/// Starts, saves two steps from `first` on and rotates, and goes on where a save fails.
Lived live(files::FileSystem& files, std::uint64_t first, const Save& save = save_alone) {
  Lived lived{.saved = first - 1};
  checkpoint::Store store(files, kRun);
  try {
    store.recover();
  } catch (const Error&) {
    return lived;
  }
  lived.started = true;
  for (std::uint64_t step = first; step < first + 2; ++step) {
    try {
      save(files, store, step);
      lived.saved = step;
      store.rotate({.last = 1, .best = {}, .stretch = {}});
    } catch (const checkpoint::SaveFailed&) {
      ++lived.failed_saves;
    }
  }
  return lived;
}

Disk disk_with_three() {
  SimulatedFiles files(disk_for_run());
  std::uint64_t saved = 0;
  three_saves(files, saved);
  return files.disk;
}

/// The newest step a start without faults finds, of which every byte is right; 0 if none.
std::uint64_t newest_good(const Disk& disk) {
  SimulatedFiles files(disk);
  const checkpoint::Recovery recovery = checkpoint::Store(files, kRun).recover();
  if (!recovery.found) return 0;
  const checkpoint::Snapshot& found = recovery.found->snapshot;
  if (!same(found, snapshot_of(found.step))) FAIL("step " << found.step << " is another one");
  return found.step;
}

/// Whether a healthy disk takes the next save.
bool recovers(SimulatedFiles& files, std::uint64_t newest) {
  checkpoint::Store store(files, kRun);
  store.recover();
  store.save(snapshot_of(newest + 1));
  return newest_good(files.disk) == newest + 1;
}

/// A fault at each call in turn, then a healthy disk. Returns how many faults there were.
int fail_each_call(const Disk& before, Fault fault, bool for_ever, const Save& save) {
  const std::uint64_t had = newest_good(before);
  for (int at = 1;; ++at) {
    SimulatedFiles under(before);
    FaultyFiles files(under, [&](int n, Call, const fs::path&) {
      return n == at || (for_ever && n > at) ? fault : Fault{};
    });
    const Lived lived = live(files, had + 1, save);
    INFO(std::strerror(fault.number) << " at call " << at << (for_ever ? " and ever after" : ""));
    if (files.calls() < at) return at - 1;
    if (under.open_files != 0) FAIL("a file is left open");
    const std::uint64_t found = newest_good(under.disk);
    if (lived.started && found < lived.saved) FAIL(lived.saved << " saved, " << found << " found");
    if (found < had) FAIL("what was saved before is gone");
    if (!recovers(under, found)) FAIL("a healthy disk does not help");
  }
}

}  // namespace

TEST_CASE("an error at any call loses nothing and is never taken for a save") {
  const Disk three = disk_with_three();
  for (const int number :
       {ENOSPC, EIO, EDQUOT, EAGAIN, EROFS, EACCES, EMFILE, ENOMEM, EXDEV, EINTR}) {
    CHECK(fail_each_call(three, {Fault::Kind::fail, number}, false, save_alone) > 100);
  }
  for (const int number : {ENOSPC, EIO, EACCES}) {
    CHECK(fail_each_call(three, {Fault::Kind::fail, number}, true, save_alone) > 20);
  }
  CHECK(fail_each_call(disk_for_run(), {Fault::Kind::fail, EIO}, false, save_alone) > 100);
}

TEST_CASE("an error at any call of a save by two ranks loses nothing") {
  const Disk three = disk_with_three();
  for (const int number : {ENOSPC, EACCES, EINTR}) {
    CHECK(fail_each_call(three, {Fault::Kind::fail, number}, false, save_by_two) > 100);
  }
  CHECK(fail_each_call(three, {Fault::Kind::fail, EIO}, true, save_by_two) > 20);
}

TEST_CASE("interrupted and short calls are not seen") {
  const Disk before = disk_with_three();
  for (const Fault fault : {Fault{Fault::Kind::short_call}, Fault{Fault::Kind::fail, EINTR}}) {
    for (int at = 1;; ++at) {
      SimulatedFiles under(before);
      FaultyFiles files(under, [&](int n, Call call, const fs::path&) {
        const bool never_interrupted = call == Call::close;  // on Linux it has closed then
        return n == at && !never_interrupted ? fault : Fault{};
      });
      const Lived lived = live(files, 4);
      if (files.calls() < at) break;
      if (lived.saved != 5 || lived.failed_saves != 0) FAIL("seen at call " << at);
    }
  }
  SimulatedFiles under(before);
  FaultyFiles files(under,
                    [](int, Call, const fs::path&) { return Fault{Fault::Kind::short_call}; });
  CHECK(live(files, 4).saved == 5);
  CHECK(newest_good(under.disk) == 5);
}

TEST_CASE("a sync that failed is not tried again on the same file") {
  SimulatedFiles under(disk_for_run());
  std::map<fs::path, int> syncs;
  FaultyFiles files(under, [&](int, Call call, const fs::path& path) {
    if (call == Call::sync) ++syncs[path];
    return call == Call::sync ? Fault{Fault::Kind::fail, EIO} : Fault{};
  });
  const Lived lived = live(files, 1);
  CHECK(lived.failed_saves == 2);
  REQUIRE(syncs.size() == 2);
  for (const auto& [path, count] : syncs) CHECK(count == 1);
}

TEST_CASE("a disk of any size up to two checkpoints is full with numbers, or takes the save") {
  const std::uint64_t two = 10 * SimulatedFiles::kBlock;
  for (const bool honest : {true, false}) {
    int failed = 0;
    for (std::uint64_t capacity = 0; capacity <= two; capacity += SimulatedFiles::kBlock) {
      SimulatedFiles files(disk_for_run());
      files.capacity = capacity;
      // One that promises more than it has is found out when it is written to.
      if (!honest) files.invented = 1 << 30;
      checkpoint::Store store(files, kRun);
      store.recover();
      std::uint64_t saved = 0;
      for (std::uint64_t step = 1; step <= 2; ++step) {
        try {
          store.save(snapshot_of(step));
          saved = step;
        } catch (const checkpoint::SaveFailed& failure) {
          ++failed;
          CHECK_THAT(failure.what(), Catch::Contains(" kB") && Catch::Contains("/simulated"));
          CHECK(newest_good(files.disk) == saved);
        }
      }
      files.capacity = 1 << 30;
      store.save(snapshot_of(3));
      CHECK(newest_good(files.disk) == 3);
    }
    CHECK(failed > 3);
  }
}

TEST_CASE("a save that fails says what, where and why") {
  SimulatedFiles under(disk_for_run());
  Fault fault{Fault::Kind::fail, EIO};
  FaultyFiles files(under, [&](int, Call call, const fs::path& path) {
    return call == Call::sync && path.filename() == "model.safetensors" ? fault : Fault{};
  });
  checkpoint::Store store(files, kRun);
  store.recover();
  const auto message = [&]() -> std::string {
    try {
      store.save(snapshot_of(500));
    } catch (const checkpoint::SaveFailed& failure) {
      std::string text = failure.what() + std::string("\n") + failure.remedy();
      const std::size_t random = text.find(".tmp-");
      return random == std::string::npos ? text : text.replace(random, 37, ".tmp-…");
    }
    return "";
  };
  CHECK(message() ==
        "step 500 is not saved: cannot sync "
        "runs/digits/checkpoints/.tmp-…/model.safetensors: Input/output error\n"
        "the checkpoints before it are untouched; look after the disk");
  fault.number = EDQUOT;
  under.capacity = 3'000'000;
  CHECK(
      message() ==
      "step 500 is not saved: cannot sync "
      "runs/digits/checkpoints/.tmp-…/model.safetensors: Disk quota exceeded; it needs 41 kB, "
      "and the file system at /simulated has 3.0 MB free\n"
      "make room there, keep fewer checkpoints (checkpoint.keep), or set output to a larger disk");
  under.capacity = 8192;
  CHECK(
      message() ==
      "step 500 is not saved: it needs 41 kB, and the file system at /simulated has 8.2 kB free\n"
      "make room there, keep fewer checkpoints (checkpoint.keep), or set output to a larger disk");
}

}  // namespace knead::tests
