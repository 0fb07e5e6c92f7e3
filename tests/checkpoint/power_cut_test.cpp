#include <cerrno>

#include <catch2/catch.hpp>

#include "tests/checkpoint/story.h"
#include "tests/files/faulty_files.h"

namespace knead::tests {

namespace {

namespace fs = std::filesystem;

constexpr int kMostCuts = 4'096;  // ways it may go at one moment

/// Passes three saves and rotations through `plan`, with a power cut at every call, and counts the
/// disks that a start does not cope with.
struct Cuts {
  int disks = 0;
  int wrong = 0;
  std::string first_wrong;
};

/// `with` may put a file system of its own above the one that dies.
using With = std::function<void(files::FileSystem& under, std::uint64_t& acknowledged)>;

Cuts cut_at_every_call(const With& with, int enough = 1'000'000, int most_cuts = kMostCuts) {
  Cuts cuts;
  for (int at = 1; cuts.wrong < enough; ++at) {
    SimulatedFiles disk(disk_for_run());
    FaultyFiles dying(disk, [&](int n, Call, const fs::path&) {
      return Fault{n == at ? Fault::Kind::die_after : Fault::Kind::none};
    });
    std::uint64_t acknowledged = 0;
    try {
      with(dying, acknowledged);
    } catch (const Killed&) {
    }
    cuts.disks += for_each_power_cut(disk.disk, most_cuts, [&](const Disk& left) {
      const std::string wrong = wrong_after_start(left, acknowledged);
      if (!wrong.empty() && ++cuts.wrong == 1) cuts.first_wrong = wrong;
    });
    if (!dying.is_dead()) break;
  }
  return cuts;
}

/// The disk forgets the calls that `forgets` picks.
With forgetting(std::function<bool(Call, const fs::path&)> forgets, const Save& save = save_alone) {
  return [forgets, save](files::FileSystem& under, std::uint64_t& acknowledged) {
    FaultyFiles files(under, [fresh = forgets](int, Call call, const fs::path& path) {
      return Fault{fresh(call, path) ? Fault::Kind::ignore : Fault::Kind::none};
    });
    three_saves_by(save, files, acknowledged);
  };
}

bool is_temporary(const fs::path& path) { return path.filename().string().starts_with(".tmp-"); }

/// A file system on which checkpoints are written under their final name from the beginning.
class InPlace : public FaultyFiles {
 public:
  explicit InPlace(files::FileSystem& under)
      : FaultyFiles(under, [](int, Call, const fs::path&) { return Fault{}; }) {}

  int create(const fs::path& path) override { return FaultyFiles::create(place(path)); }
  void make_folder(const fs::path& path) override {
    if (is_temporary(path)) ++step_;
    FaultyFiles::make_folder(is_temporary(path) ? step() : path);
  }
  void sync_folder(const fs::path& path) override {
    FaultyFiles::sync_folder(is_temporary(path) ? step() : path);
  }
  void rename_new(const fs::path& from, const fs::path& to) override {
    if (!is_temporary(from)) FaultyFiles::rename_new(from, to);
  }

 private:
  fs::path step() const {
    return fs::path(kCheckpoints) / ("step-0000000" + std::to_string(step_));
  }
  fs::path place(const fs::path& path) const {
    return is_temporary(path.parent_path()) ? step() / path.filename() : path;
  }

  int step_ = 0;
};

/// A file system on which the old checkpoints go before the new one is there.
class DeleteFirst : public FaultyFiles {
 public:
  explicit DeleteFirst(files::FileSystem& under)
      : FaultyFiles(under, [](int, Call, const fs::path&) { return Fault{}; }) {}

  void make_folder(const fs::path& path) override {
    if (is_temporary(path)) delete_all();
    FaultyFiles::make_folder(path);
  }

 private:
  void delete_all() {
    for (const files::Entry& checkpoint : list(kCheckpoints)) {
      const fs::path folder = fs::path(kCheckpoints) / checkpoint.name;
      for (const files::Entry& file : list(folder)) remove_file(folder / file.name);
      remove_folder(folder);
    }
  }
};

/// A file system that syncs files only once they have been published.
class SyncLate : public FaultyFiles {
 public:
  explicit SyncLate(files::FileSystem& under)
      : FaultyFiles(under, [](int, Call, const fs::path&) { return Fault{}; }) {}

  void sync(int) override {}
  void close(int file) override { late_.push_back(file); }
  void sync_folder(const fs::path& path) override {
    FaultyFiles::sync_folder(path);
    if (path != kCheckpoints) return;
    for (const int file : late_) FaultyFiles::sync(file);
    for (const int file : late_) FaultyFiles::close(file);
    late_.clear();
  }

 private:
  std::vector<int> late_;
};

template <class Files>
With through() {
  return [](files::FileSystem& under, std::uint64_t& acknowledged) {
    Files files(under);
    three_saves(files, acknowledged);
  };
}

void finds(const std::string& missing, const With& with) {
  INFO("without this: " << missing);
  CHECK(cut_at_every_call(with, 1).wrong > 0);
}

}  // namespace

TEST_CASE("a power cut at any call of a save or a rotation loses nothing that was saved") {
  const Cuts cuts = cut_at_every_call(three_saves);
  CHECK(cuts.first_wrong == "");
  CHECK(cuts.wrong == 0);
  CHECK(cuts.disks > 1'000);
}

TEST_CASE("a power cut at any call of a save by two ranks loses nothing that was saved") {
  const auto by_two = [](files::FileSystem& under, std::uint64_t& acknowledged) {
    three_saves_by(save_by_two, under, acknowledged);
  };
  const Cuts cuts = cut_at_every_call(by_two, 1'000'000, kMostCuts / 16);
  CHECK(cuts.first_wrong == "");
  CHECK(cuts.wrong == 0);
  CHECK(cuts.disks > 1'000);
}

TEST_CASE("a power cut after a process was killed loses nothing that was saved") {
  for (int at = 1;; ++at) {
    SimulatedFiles disk(disk_for_run());
    std::uint64_t acknowledged = 0;
    FaultyFiles dying(disk, [&](int n, Call, const fs::path&) {
      return Fault{n == at ? Fault::Kind::die_after : Fault::Kind::none};
    });
    try {
      three_saves(dying, acknowledged);
    } catch (const Killed&) {
    }
    if (!dying.is_dead()) break;
    // Whatever the dead one has not synced, the next one must rely on only if it syncs it.
    three_saves(disk, acknowledged);
    for_each_power_cut(disk.disk, kMostCuts, [&](const Disk& left) {
      const std::string wrong = wrong_after_start(left, acknowledged);
      if (!wrong.empty()) FAIL("killed at call " << at << ": " << wrong);
    });
  }
}

TEST_CASE("a power cut after a call that failed loses nothing that was saved") {
  for (int at = 1;; ++at) {
    SimulatedFiles disk(disk_for_run());
    FaultyFiles files(disk, [&](int n, Call, const fs::path&) {
      return n == at ? Fault{Fault::Kind::fail, EIO} : Fault{};
    });
    std::uint64_t acknowledged = 0;
    checkpoint::Store store(files, kRun);
    try {
      store.recover();
      for (std::uint64_t step = 1; step <= 3; ++step) {
        try {
          store.save(snapshot_of(step));
          acknowledged = step;
          store.rotate({.last = 1, .best = {}, .stretch = {}});
        } catch (const checkpoint::SaveFailed&) {
        }
      }
    } catch (const files::FileError&) {
      continue;  // it could not even start
    }
    if (files.calls() < at) break;
    for_each_power_cut(disk.disk, kMostCuts, [&](const Disk& left) {
      const std::string wrong = wrong_after_start(left, acknowledged);
      if (!wrong.empty()) FAIL("failed call " << at << ": " << wrong);
    });
  }
}

TEST_CASE("each step of a save and a rotation is necessary") {
  finds("sync of a tensor file", forgetting([](Call call, const fs::path& path) {
          return call == Call::sync && path.filename() == "model.safetensors";
        }));
  finds("sync of the state", forgetting([](Call call, const fs::path& path) {
          return call == Call::sync && path.filename() == "state.json";
        }));
  finds("sync of the manifest", forgetting([](Call call, const fs::path& path) {
          return call == Call::sync && path.filename() == "manifest.json";
        }));
  finds("sync of the names in a checkpoint", forgetting([](Call call, const fs::path& path) {
          return call == Call::sync_folder && is_temporary(path);
        }));
  finds("sync of the names of checkpoints", forgetting([](Call call, const fs::path& path) {
          return call == Call::sync_folder && path == kCheckpoints;
        }));
  finds("sync of the name of the folder of checkpoints",
        forgetting([](Call call, const fs::path& path) {
          return call == Call::sync_folder && path == kRun;
        }));
  // The folder is synced after a save and, from the second save on, again in its rotation.
  finds("sync between unpublishing and deleting",
        forgetting([n = 0](Call call, const fs::path& path) mutable {
          return call == Call::sync_folder && path == kCheckpoints && ++n == 3;
        }));
  finds("sync of the tensor file of a rank",
        forgetting(
            [](Call call, const fs::path& path) {
              return call == Call::sync &&
                     path.filename() == "optimizer-00002-of-00002.safetensors";
            },
            save_by_two));
  finds("sync of the index", forgetting(
                                 [](Call call, const fs::path& path) {
                                   return call == Call::sync &&
                                          path.filename() == "model.safetensors.index.json";
                                 },
                                 save_by_two));
  finds("a name of its own until it is whole", through<InPlace>());
  finds("sync before it is published", through<SyncLate>());
  finds("the old one until the new one is safe", through<DeleteFirst>());
}

}  // namespace knead::tests
