#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "runner/checkpoint/leftovers.h"
#include "runner/checkpoint/names.h"
#include "runner/checkpoint/read.h"
#include "runner/checkpoint/store.h"
#include "runner/files/folders.h"

namespace knead::checkpoint {

namespace fs = std::filesystem;

namespace {

/// Throws Error if the checkpoints belong to two runs: the newest one could be of the other run.
void refuse_two_runs(const std::vector<Listed>& listed, const fs::path& folder) {
  const Listed* first = nullptr;
  for (const Listed& one : listed) {
    if (!one.manifest) continue;
    if (first == nullptr) first = &one;
    if (one.manifest->run == first->manifest->run) continue;
    throw Error(fmt::format("{} has checkpoints of two runs: {} and {}", folder.string(),
                            step_name(first->step), step_name(one.step)),
                "move those that do not belong there to another folder");
  }
}

bool has_set_aside(files::FileSystem& files, const fs::path& folder) {
  const std::vector<files::Entry> entries = files::list_sorted(files, folder);
  return std::any_of(entries.begin(), entries.end(),
                     [](const files::Entry& entry) { return step_of_bad(entry.name).has_value(); });
}

/// Throws Error if no checkpoint is whole. A run must not silently begin from scratch in a folder
/// that has checkpoints.
[[noreturn]] void refuse_damaged(const std::vector<Listed>& bad, const fs::path& run_folder) {
  const std::string why =
      bad.empty() ? "all were set aside as damaged before"
                  : fmt::format("{}: {}", step_name(bad.front().step), bad.front().damage);
  throw Error(fmt::format("no checkpoint in {} can be used ({})",
                          checkpoints_folder(run_folder).string(), why),
              fmt::format("bring back a good copy, or begin anew with --fresh; the old run is then "
                          "kept as {}.old-1",
                          run_folder.string()));
}

}  // namespace

Store::Store(files::FileSystem& files, const fs::path& run_folder)
    : files_(files), run_folder_(run_folder), folder_(checkpoints_folder(run_folder)) {}

Recovery Store::recover(Hold hold) {
  files::make_folders(files_, folder_);
  Recovery out{.found = std::nullopt, .notes = remove_leftovers(files_, folder_)};
  std::vector<Listed> listed = list_checkpoints(files_, run_folder_);
  refuse_two_runs(listed, folder_);
  std::vector<Listed> bad;
  for (; !out.found && !listed.empty(); listed.pop_back()) {
    Listed& newest = listed.back();
    try {
      if (newest.manifest) out.found = read_checkpoint(files_, newest.folder, hold);
    } catch (const Damaged& damaged) {
      newest.damage = damaged.what();
    }
    if (!out.found) bad.push_back(newest);
  }
  if (!out.found && (!bad.empty() || has_set_aside(files_, folder_))) {
    refuse_damaged(bad, run_folder_);
  }
  // Nothing is renamed before a whole checkpoint was found, so that a refusal leaves the folder as
  // it is.
  for (const Listed& one : bad) out.notes.push_back(set_aside(one));
  // The name of the found checkpoint may not be durable either: the process that renamed it may
  // have died before it synced the folder.
  files::sync_folder(files_, folder_);
  begin_from(out.found);
  return out;
}

void Store::begin_from(const std::optional<Found>& found) {
  // The id goes on with the checkpoint and not with the folder, which may have been moved or
  // copied.
  run_ = found ? found->manifest.run : files::random_name();
  newest_.reset();
  verified_.clear();
  resumed_from_.reset();
  if (!found) return;
  acknowledge(found->manifest);
  resumed_from_ = found->manifest.step;
}

std::string Store::set_aside(const Listed& bad) {
  // An earlier start may have set aside a checkpoint of this step.
  for (int n = 1;; ++n) {
    const std::string name = bad_name(bad.step, n);
    try {
      files::rename_new(files_, bad.folder, folder_ / name);
      return fmt::format("{} cannot be used ({}): it is kept as {}", step_name(bad.step),
                         bad.damage, name);
    } catch (const files::FileError& error) {
      if (error.number() != EEXIST) throw;
    }
  }
}

}  // namespace knead::checkpoint
