#include "runner/run/weights_origin.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/checkpoint/read.h"
#include "runner/files/folders.h"
#include "runner/files/posix_files.h"
#include "runner/files/read.h"
#include "runner/run/best_checkpoint.h"
#include "runner/run/overview.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"

namespace knead::run {
namespace {

namespace fs = std::filesystem;
using checkpoint::Listed;

std::string run_identity(const Listed& checkpoint) { return "run " + checkpoint.manifest->run; }

/// Returns the names of a checkpoint's files that hold `kind`, such as model.safetensors: itself,
/// or those of several ranks.
std::vector<std::string> files_of(const checkpoint::Manifest& manifest, const std::string& kind) {
  std::vector<std::string> names;
  for (const auto& [name, facts] : manifest.files) {
    const auto shard = checkpoint::shard_of(name);
    if (name == kind || (shard && shard->file == kind)) names.push_back(name);
  }
  return names;
}

/// Returns the names of all files with weights of a checkpoint.
std::vector<std::string> weights_files(const checkpoint::Manifest& manifest) {
  std::vector<std::string> names = files_of(manifest, checkpoint::kModelFile);
  const std::vector<std::string> averages = files_of(manifest, checkpoint::kAverageFile);
  names.insert(names.end(), averages.begin(), averages.end());
  return names;
}

/// Returns the digests of all weights of a checkpoint from its manifest.
std::string weights_identity(const checkpoint::Manifest& manifest) {
  std::string identity;
  for (const std::string& name : weights_files(manifest))
    identity += (identity.empty() ? "" : " ") + manifest.files.at(name).digest;
  return identity;
}

WeightsOrigin origin_in(const Listed& checkpoint) {
  const checkpoint::Manifest& manifest = *checkpoint.manifest;
  if (files_of(manifest, checkpoint::kModelFile).empty())
    throw Error(fmt::format("{} has no weights", checkpoint.folder.string()));
  const bool is_shared = manifest.files.contains(checkpoint::kIndexFile);
  WeightsOrigin origin;
  origin.file = checkpoint.folder / (is_shared ? checkpoint::kIndexFile : checkpoint::kModelFile);
  for (const std::string& name : files_of(manifest, checkpoint::kAverageFile))
    origin.averages.push_back(checkpoint.folder / name);
  origin.identity = weights_identity(manifest);
  return origin;
}

WeightsOrigin from_run(const fs::path& run) {
  files::PosixFiles disk;
  const auto checkpoints = checkpoint::list_checkpoints(disk, run);
  if (checkpoints.empty())
    throw Error(fmt::format("{} holds no checkpoint", run.string()),
                "train that run first; it may also be that it has not saved yet");
  const auto evaluations = track::read_evaluations(run / track::kEvaluationsFile);
  const Standing standing = take_first_whole(
      by_preference(checkpoints, evaluations, monitor_of(recipe_of(run))), run,
      [&](const Listed& each) { checkpoint::check_files(disk, each.folder, *each.manifest); });
  WeightsOrigin origin = origin_in(standing.checkpoint);
  origin.words = fmt::format("{}, step {} ({})", run.string(), standing.checkpoint.step,
                             standing.is_best ? "its best" : "its last");
  origin.identity = run_identity(standing.checkpoint);
  origin.left_out = standing.left_out;
  return origin;
}

/// Throws knead::Error if a file of a checkpoint is not the one that its manifest names.
void expect_whole(const Listed& checkpoint, const fs::path& file, files::FileSystem& disk) {
  if (files::read_facts(disk, file) == checkpoint.manifest->files.at(file.filename())) return;
  throw Error(fmt::format("{} is damaged", file.string()),
              "name another checkpoint of the run; knead verify says which are whole");
}

WeightsOrigin from_checkpoint(const fs::path& folder) {
  files::PosixFiles disk;
  const std::string text = files::read_text(folder / checkpoint::kManifestFile);
  const Listed listed{folder, 0, checkpoint::read_manifest(text), ""};
  WeightsOrigin origin = origin_in(listed);
  for (const std::string& name : weights_files(*listed.manifest))
    expect_whole(listed, folder / name, disk);
  if (listed.manifest->files.contains(checkpoint::kIndexFile))
    expect_whole(listed, folder / checkpoint::kIndexFile, disk);
  origin.words = fmt::format("{}, step {}", folder.string(), listed.manifest->step);
  return origin;
}

bool is_weights_name(const std::string& name) {
  for (const char* ending : {".safetensors", ".pt", ".pth", ".bin", ".index.json"}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

/// Throws an error that lists runs and files of weights in the folder, one of which may be meant.
[[noreturn]] void refuse_folder(const fs::path& folder) {
  files::PosixFiles disk;
  std::vector<std::string> found;
  for (const files::Entry& entry : files::list_sorted(disk, folder)) {
    if (entry.is_folder ? is_run(folder / entry.name) : is_weights_name(entry.name))
      found.push_back(entry.name);
  }
  const std::size_t most = 6;
  const bool is_cut = found.size() > most;
  found.resize(std::min(found.size(), most));
  throw Error(fmt::format("{} is a folder, neither of a run nor of a checkpoint", folder.string()),
              found.empty() ? "name a file of weights, or the folder of a run"
                            : fmt::format("name what you mean in it: it has {}{}",
                                          fmt::join(found, ", "), is_cut ? ", …" : ""));
}

}  // namespace

WeightsOrigin find_origin(const fs::path& given) {
  // A trailing slash is removed, because it would give an empty file name.
  const fs::path from = given.has_filename() ? given : given.parent_path();
  if (!schema::is_folder(from)) return {from, {}, from.string(), "", {}};
  if (is_run(from)) return from_run(from);
  if (schema::is_there(from / checkpoint::kManifestFile)) return from_checkpoint(from);
  refuse_folder(from);
}

std::optional<std::string> identity_of_folder(const fs::path& from) {
  files::PosixFiles disk;
  if (is_run(from)) {
    for (const Listed& each : checkpoint::list_checkpoints(disk, from)) {
      if (each.manifest) return run_identity(each);
    }
  } else if (schema::is_there(from / checkpoint::kManifestFile)) {
    const std::string text = files::read_text(from / checkpoint::kManifestFile);
    return weights_identity(checkpoint::read_manifest(text));
  }
  return std::nullopt;
}

}  // namespace knead::run
