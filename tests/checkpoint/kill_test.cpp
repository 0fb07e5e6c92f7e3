#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "runner/files/posix_files.h"
#include "tests/checkpoint/shards.h"
#include "tests/checkpoint/story.h"
#include "tests/files/faulty_files.h"
#include "tests/folder.h"

namespace knead::tests {

namespace {

/// Whether a call changes what other processes see. Who dies at any other call leaves the same disk
/// as who dies right after the last of these.
bool changes_disk(Call call) {
  return call == Call::create || call == Call::write || call == Call::make_folder ||
         call == Call::rename || call == Call::rename_new || call == Call::remove_file ||
         call == Call::remove_folder;
}

/// Dies right after the n-th call that changes the disk.
FaultyFiles::Plan dying_after(int n) {
  return [n, seen = 0](int, Call call, const auto&) mutable {
    const bool dies = changes_disk(call) && ++seen == n;
    return Fault{dies ? Fault::Kind::die_after : Fault::Kind::none};
  };
}

/// Kills a start after every change, then starts again. Returns how many starts were killed.
int kill_starts(const Disk& disk, std::uint64_t acknowledged) {
  for (int at = 1;; ++at) {
    SimulatedFiles under(disk);
    FaultyFiles files(under, dying_after(at));
    try {
      checkpoint::Store(files, kRun).recover();
    } catch (const Killed&) {
    }
    if (!files.is_dead()) return at - 1;
    const std::string wrong = wrong_after_start(under.disk, acknowledged);
    if (!wrong.empty()) FAIL("killed again in the start, change " << at << ": " << wrong);
  }
}

/// Kills three saves after every change, and every start after that too.
int kill_everywhere(const Disk& disk, std::uint64_t acknowledged, const Save& save) {
  int killed = 0;
  for (int at = 1;; ++at) {
    SimulatedFiles under(disk);
    FaultyFiles files(under, dying_after(at));
    std::uint64_t saved = acknowledged;
    try {
      three_saves_by(save, files, saved);
    } catch (const Killed&) {
    }
    if (!files.is_dead()) return killed;
    const std::string wrong = wrong_after_start(under.disk, saved);
    if (!wrong.empty()) FAIL("killed after change " << at << ": " << wrong);
    killed += 1 + kill_starts(under.disk, saved);
  }
}

}  // namespace

TEST_CASE("a process killed anywhere in a save, a rotation or a start loses nothing saved") {
  for (const Save& save : {Save(save_alone), Save(save_by_two)}) {
    CHECK(kill_everywhere(disk_for_run(), 0, save) > 100);
    SimulatedFiles files(disk_for_run());
    std::uint64_t acknowledged = 0;
    three_saves(files, acknowledged);
    REQUIRE(acknowledged == 3);
    CHECK(kill_everywhere(files.disk, 3, save) > 100);
  }
}

TEST_CASE("a rank killed anywhere in its part, while the others go on, loses nothing saved") {
  int killed = 0;
  for (const std::size_t victim : {0, 1, 2, 3}) {
    for (int at = 1;; ++at) {
      SimulatedFiles under(disk_for_run());
      checkpoint::Store store(under, kRun);
      store.recover();
      save_by_two(under, store, 1);
      const auto parts = cut_for_ranks(snapshot_of(2), 4, true);
      const auto folder = store.begin_shared(2, 1000);
      FaultyFiles files(under, dying_after(at));
      for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        try {
          files::FileSystem& own = files;
          checkpoint::write_parts(rank == victim ? own : under, folder, parts[rank]);
        } catch (const Killed&) {
        }
      }
      if (!files.is_dead()) break;
      const std::string wrong = wrong_after_start(under.disk, 1);
      if (!wrong.empty()) FAIL("rank " << victim << " killed after change " << at << ": " << wrong);
      ++killed;
    }
  }
  CHECK(killed > 20);
}

TEST_CASE("a process killed by a signal anywhere on a real disk loses nothing saved") {
  // The parent counts what the child has acknowledged through a pipe: a byte for each save.
  for (int at = 1;; ++at) {
    const Folder folder;
    std::filesystem::current_path(folder.path());
    std::filesystem::create_directories(kRun);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
      files::PosixFiles under;
      FaultyFiles files(under, [at, seen = 0](int, Call call, const auto&) mutable {
        if (changes_disk(call) && ++seen == at) ::kill(::getpid(), SIGKILL);
        return Fault{};
      });
      checkpoint::Store store(files, kRun);
      store.recover();
      for (std::uint64_t step = 1; step <= 3; ++step) {
        store.save(snapshot_of(step));
        if (::write(ends[1], "s", 1) != 1) ::_exit(1);
        store.rotate({.last = 1, .best = {}, .stretch = {}});
      }
      ::_exit(0);
    }
    ::close(ends[1]);
    char saved[8];
    std::uint64_t acknowledged = 0;
    while (::read(ends[0], saved, 1) == 1) ++acknowledged;
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    files::PosixFiles files;
    const checkpoint::Recovery recovery = checkpoint::Store(files, kRun).recover();
    CHECK(recovery.notes.empty());
    const std::uint64_t found = recovery.found ? recovery.found->manifest.step : 0;
    CHECK((found == acknowledged || found == acknowledged + 1));
    if (found > 0) CHECK(same(recovery.found->snapshot, snapshot_of(found)));
    if (!WIFSIGNALED(status)) {
      CHECK(acknowledged == 3);
      CHECK(at > 40);
      break;
    }
  }
}

}  // namespace knead::tests
