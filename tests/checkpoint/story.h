#pragma once

#include <functional>
#include <string>

#include "runner/checkpoint/store.h"
#include "tests/files/simulated_files.h"

namespace knead::tests {

inline constexpr const char* kRun = "runs/digits";
inline constexpr const char* kCheckpoints = "runs/digits/checkpoints";

/// A small state that is another one at every step.
checkpoint::Snapshot snapshot_of(std::uint64_t step);

/// A disk with an empty folder for the run.
Disk disk_for_run();

/// A way to save snapshot_of(step).
using Save = std::function<checkpoint::Manifest(files::FileSystem& files, checkpoint::Store& store,
                                                std::uint64_t step)>;

/// As one process saves.
checkpoint::Manifest save_alone(files::FileSystem& files, checkpoint::Store& store,
                                std::uint64_t step);

/// As two ranks save, one after another.
checkpoint::Manifest save_by_two(files::FileSystem& files, checkpoint::Store& store,
                                 std::uint64_t step);

/// Recovers, then saves three more steps and rotates after each, keeping one.
/// `acknowledged` is the last step that save() has returned for.
void three_saves_by(const Save& save, files::FileSystem& files, std::uint64_t& acknowledged);
void three_saves(files::FileSystem& files, std::uint64_t& acknowledged);

/// What is wrong after a start on this disk, empty if nothing: not the newest acknowledged step or
/// the one after it, other contents, any damage to any checkpoint, or a second start that changes
/// anything.
std::string wrong_after_start(const Disk& disk, std::uint64_t acknowledged);

/// Whether two snapshots are the same, but for the order of tensors.
bool same(const checkpoint::Snapshot& left, const checkpoint::Snapshot& right);

}  // namespace knead::tests
