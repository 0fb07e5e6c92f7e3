#include <algorithm>

#include <fmt/format.h>

#include "runner/checkpoint/leftovers.h"
#include "runner/checkpoint/names.h"
#include "runner/checkpoint/store.h"
#include "runner/files/folders.h"

namespace knead::checkpoint {

namespace {

/// Returns the name of an entry in a checkpoint's folder that does not belong to the checkpoint;
/// empty if there is none.
std::string stranger_in(files::FileSystem& files, const Listed& listed) {
  for (const files::Entry& entry : files::list_sorted(files, listed.folder)) {
    const bool own = entry.name == kManifestFile || listed.manifest->files.contains(entry.name);
    if (!own || entry.is_folder) return entry.name;
  }
  return "";
}

}  // namespace

Rotation Store::rotate(const Kept& kept) {
  Rotation rotation;
  try {
    // The disk is listed anew each time: the user may have moved checkpoints away or added some.
    const std::vector<Listed> own = own_checkpoints();
    std::vector<Candidate> candidates;
    for (const Listed& one : own) {
      candidates.push_back({one.step, verified_.contains(one.step)});
    }
    const std::vector<std::uint64_t> steps = superfluous(candidates, kept, resumed_from_);
    std::vector<Listed> old;
    std::copy_if(own.begin(), own.end(), std::back_inserter(old), [&](const Listed& one) {
      return std::find(steps.begin(), steps.end(), one.step) != steps.end();
    });
    remove(old, rotation);
  } catch (const Error& error) {
    warn(fmt::format("old checkpoints stay: {}", error.what()), rotation);
  }
  return rotation;
}

std::vector<Listed> Store::own_checkpoints() {
  std::vector<Listed> own = list_checkpoints(files_, run_folder_);
  std::erase_if(own, [&](const Listed& one) { return !one.manifest || one.manifest->run != run_; });
  return own;
}

void Store::remove(const std::vector<Listed>& old, Rotation& rotation) {
  for (const Listed& one : old) unpublish(one, rotation);
  if (rotation.removed.empty()) return;
  // Files are deleted only after all renames, whose folder remove_leftovers() syncs once.
  for (const std::string& note : remove_leftovers(files_, folder_)) warn(note, rotation);
}

void Store::unpublish(const Listed& old, Rotation& rotation) {
  try {
    const std::string stranger = stranger_in(files_, old);
    if (!stranger.empty()) {
      warn(fmt::format("{} stays: {} in it is not its own", step_name(old.step), stranger),
           rotation);
      return;
    }
    // Renamed before its files are deleted, so that a folder with a checkpoint's name is whole.
    files::rename_new(files_, old.folder, folder_ / new_temporary_name());
    rotation.removed.push_back(old.step);
    verified_.erase(old.step);
  } catch (const files::FileError& error) {
    warn(fmt::format("{} stays: {}", step_name(old.step), error.what()), rotation);
  }
}

void Store::warn(const std::string& warning, Rotation& rotation) {
  if (warned_.insert(warning).second) rotation.warnings.push_back(warning);
}

}  // namespace knead::checkpoint
