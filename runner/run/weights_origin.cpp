#include "runner/run/weights_origin.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/checkpoint/inspect.h"
#include "runner/files/folders.h"
#include "runner/files/posix_files.h"
#include "runner/files/read.h"
#include "runner/plan/decide.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"
#include "schema/load.h"

namespace knead::engine {
namespace {

namespace fs = std::filesystem;
using checkpoint::Listed;

constexpr const char* kManifest = "manifest.json";
constexpr const char* kRaw = "model.safetensors";
constexpr const char* kAveraged = "average.safetensors";

/// Returns evaluate.monitor of a run. Ignores problems in its recipe, because files that it names
/// may be gone.
plan::Objective monitor_of(const fs::path& run) {
  const fs::path file = run / "resolved.yaml";
  if (!fs::exists(file)) return "";
  schema::Problems ignored;
  const auto read =
      schema::read_as_far_as_possible(file.string(), {}, schema::this_world(), ignored);
  const schema::Node* monitor = schema::find_path(read.tree, "evaluate.monitor");
  return plan::objective(monitor ? monitor->text : "", read.tree);
}

const Listed* find_step(const std::vector<Listed>& checkpoints, std::uint64_t step) {
  const auto found = std::find_if(checkpoints.begin(), checkpoints.end(), [&](const Listed& each) {
    return each.step == step && each.manifest;
  });
  return found == checkpoints.end() ? nullptr : &*found;
}

bool is_run(const fs::path& folder) { return fs::is_directory(folder / "checkpoints"); }

std::string run_identity(const Listed& checkpoint) { return "run " + checkpoint.manifest->run; }

/// Returns the digests of all weights of a checkpoint from its manifest.
std::string weights_identity(const checkpoint::Manifest& manifest) {
  std::string identity;
  for (const char* name : {kRaw, kAveraged}) {
    const auto facts = manifest.files.find(name);
    if (facts != manifest.files.end())
      identity += (identity.empty() ? "" : " ") + facts->second.digest;
  }
  return identity;
}

/// Holds the checkpoint that stands for a run, and the reason for a message.
struct Choice {
  const Listed* checkpoint;
  const char* why;
};

Choice choose(const std::vector<Listed>& checkpoints, const fs::path& run) {
  const auto evaluations = track::read_evaluations(run / track::kEvaluationsFile);
  for (const std::uint64_t step : plan::best_steps(evaluations, monitor_of(run), 1)) {
    if (const Listed* best = find_step(checkpoints, step)) return {best, "its best"};
  }
  for (auto each = checkpoints.rbegin(); each != checkpoints.rend(); ++each) {
    if (each->manifest) return {&*each, "its last"};
  }
  throw Error(fmt::format("{} holds no checkpoint that is whole", run.string()),
              "knead verify says what is wrong with them");
}

/// Returns the path of a checkpoint's file after it was compared with the manifest; empty if the
/// manifest does not name it. Throws knead::Error if the file is damaged.
fs::path checked_file(const Listed& checkpoint, const char* name, files::FileSystem& disk) {
  const auto facts = checkpoint.manifest->files.find(name);
  if (facts == checkpoint.manifest->files.end()) return {};
  const fs::path file = checkpoint.folder / name;
  if (files::read_facts(disk, file) == facts->second) return file;
  throw Error(fmt::format("{} is damaged", file.string()),
              "name another checkpoint of the run; knead verify says which are whole");
}

WeightsOrigin origin_in(const Listed& checkpoint, files::FileSystem& disk) {
  const fs::path raw = checked_file(checkpoint, kRaw, disk);
  if (raw.empty()) throw Error(fmt::format("{} has no weights", checkpoint.folder.string()));
  return {raw, checked_file(checkpoint, kAveraged, disk), "",
          weights_identity(*checkpoint.manifest)};
}

WeightsOrigin from_run(const fs::path& run) {
  files::PosixFiles disk;
  const auto checkpoints = checkpoint::list_checkpoints(disk, run);
  if (checkpoints.empty())
    throw Error(fmt::format("{} holds no checkpoint", run.string()),
                "train that run first; it may also be that it has not saved yet");
  const Choice choice = choose(checkpoints, run);
  WeightsOrigin origin = origin_in(*choice.checkpoint, disk);
  origin.words = fmt::format("{}, step {} ({})", run.string(), choice.checkpoint->step, choice.why);
  origin.identity = run_identity(*choice.checkpoint);
  return origin;
}

WeightsOrigin from_checkpoint(const fs::path& folder) {
  files::PosixFiles disk;
  Listed listed{folder, 0, checkpoint::read_manifest(files::read_text(folder / kManifest)), ""};
  WeightsOrigin origin = origin_in(listed, disk);
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
  if (!fs::is_directory(from)) return {from, {}, from.string(), ""};
  if (is_run(from)) return from_run(from);
  if (fs::exists(from / kManifest)) return from_checkpoint(from);
  refuse_folder(from);
}

std::optional<std::string> identity_of_folder(const fs::path& from) {
  files::PosixFiles disk;
  if (is_run(from)) {
    for (const Listed& each : checkpoint::list_checkpoints(disk, from)) {
      if (each.manifest) return run_identity(each);
    }
  } else if (fs::exists(from / kManifest)) {
    const auto manifest = checkpoint::read_manifest(files::read_text(from / kManifest));
    return weights_identity(manifest);
  }
  return std::nullopt;
}

}  // namespace knead::engine
