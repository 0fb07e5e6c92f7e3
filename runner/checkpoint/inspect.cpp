#include "runner/checkpoint/inspect.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/checkpoint/read.h"
#include "runner/files/folders.h"
#include "schema/document/regular_file.h"

namespace knead::checkpoint {

namespace fs = std::filesystem;

namespace {

constexpr const char* kGiveRun = "give the folder of a run, runs/<name>; 'knead runs' lists them";

/// Calls `check` and turns a Damaged that it throws into the damage of the checkpoint.
template <class Check>
void note_damage(Listed& listed, Check check) {
  try {
    check();
  } catch (const Damaged& damaged) {
    // A damaged checkpoint has no manifest for callers, so that nobody trusts its step or its
    // facts.
    listed.manifest.reset();
    listed.damage = damaged.what();
  }
}

/// Throws Damaged if the folder has another checkpoint of the parent's step than the parent. A
/// parent that rotation has deleted is not missed.
void check_parent(const Manifest& manifest, const std::vector<Listed>& all) {
  if (!manifest.parent) return;
  for (const Listed& other : all) {
    if (other.manifest && other.step == manifest.parent->step &&
        other.manifest->digest != manifest.parent->digest) {
      throw Damaged(fmt::format("it does not follow the {} that is here", step_name(other.step)));
    }
  }
}

}  // namespace

std::vector<Listed> list_checkpoints(files::FileSystem& files, const fs::path& run_folder) {
  if (schema::is_there(run_folder) && !schema::is_folder(run_folder))
    throw Error(fmt::format("'{}' is no folder of a run", run_folder.string()), kGiveRun);
  const fs::path folder = checkpoints_folder(run_folder);
  std::vector<Listed> out;
  for (const files::Entry& entry : files::list_sorted(files, folder)) {
    const std::optional<std::uint64_t> step = step_of(entry.name);
    if (!step) continue;
    Listed& listed = out.emplace_back();
    listed.folder = folder / entry.name;
    listed.step = *step;
    note_damage(listed, [&] {
      if (!entry.is_folder) throw Damaged("it is no folder");
      listed.manifest = read_manifest_in(files, listed.folder);
    });
  }
  std::sort(out.begin(), out.end(),
            [](const Listed& left, const Listed& right) { return left.step < right.step; });
  return out;
}

std::vector<Listed> verify_checkpoints(files::FileSystem& files, const fs::path& run_folder) {
  const fs::path folder = checkpoints_folder(run_folder);
  std::vector<Listed> out = list_checkpoints(files, run_folder);
  for (Listed& listed : out) {
    if (!listed.manifest) continue;
    note_damage(listed, [&] {
      check_files(files, listed.folder, *listed.manifest);
      check_parent(*listed.manifest, out);
    });
  }
  for (const files::Entry& entry : files::list_sorted(files, folder)) {
    if (const std::optional<std::uint64_t> step = step_of_bad(entry.name)) {
      out.push_back(
          {folder / entry.name, *step, std::nullopt, "it was set aside when the run started"});
    }
  }
  return out;
}

void refuse_without_checkpoint(const fs::path& run_folder) {
  std::error_code ignored;
  const std::string name = run_folder.string();
  throw Error(fs::exists(run_folder, ignored) ? fmt::format("'{}' holds no checkpoint", name)
                                              : fmt::format("there is no folder '{}'", name),
              kGiveRun);
}

Found load_checkpoint(files::FileSystem& files, const fs::path& run_folder, std::uint64_t step,
                      Hold hold) {
  const fs::path folder = checkpoints_folder(run_folder) / step_name(step);
  for (const files::Entry& entry : files::list_sorted(files, folder.parent_path())) {
    // The folder is listed first: otherwise a step that does not exist would be reported as
    // damaged.
    if (entry.name == folder.filename()) return read_checkpoint(files, folder, hold);
  }
  throw Error(fmt::format("{} has no checkpoint of step {}", run_folder.string(), step),
              "knead runs lists those that it has");
}

}  // namespace knead::checkpoint
