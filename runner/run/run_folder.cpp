#include "runner/run/run_folder.h"

#include <chrono>

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/files/file.h"
#include "runner/files/folders.h"
#include "runner/run/names.h"
#include "runner/track/tracker.h"
#include "schema/document/regular_file.h"

namespace knead::run {
namespace {

/// Returns the first of "<path>.old-1", "<path>.old-2", … that does not exist.
std::filesystem::path free_name(const std::filesystem::path& path) {
  for (int n = 1;; ++n) {
    std::filesystem::path candidate = fmt::format("{}.old-{}", path.string(), n);
    if (!std::filesystem::exists(std::filesystem::symlink_status(candidate))) return candidate;
  }
}

}  // namespace

RunFolder::RunFolder(files::FileSystem& files, std::filesystem::path path)
    : files_(files), path_(std::move(path)) {
  // The missing folders are listed before they are made, so that the destructor knows its own.
  for (auto folder = path_; !folder.empty() && !schema::is_there(folder);
       folder = folder.parent_path())
    new_folders_.push_back(folder);
  try {
    files::make_folders(files_, path_);
  } catch (const files::FileError& error) {
    throw Error(error.what(), "a run needs a folder that it may write to: set output to one");
  }
  lock_ = std::make_unique<files::Lock>(path_);
  remove_leftovers(path_);
  remove_leftovers(path_ / kExportFolder);
}

void RunFolder::remove_leftovers(const std::filesystem::path& folder) {
  constexpr auto kAge = std::chrono::minutes(10);  // of a file that nobody writes any more
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    if (!files::is_temporary(entry.path()) || !entry.is_regular_file(failure)) continue;
    const auto written = entry.last_write_time(failure);
    if (failure || std::filesystem::file_time_type::clock::now() - written < kAge) continue;
    std::filesystem::remove(entry.path(), failure);
  }
}

RunFolder::~RunFolder() {
  if (new_folders_.empty() || has_results()) return;
  std::error_code ignored;  // a folder that stays does no harm
  std::filesystem::remove_all(path_, ignored);
  // remove() keeps parents that have other content by now.
  for (const auto& folder : new_folders_) std::filesystem::remove(folder, ignored);
}

bool RunFolder::has_results() const {
  std::error_code failure;
  for (const char* journal :
       {track::kMetricsFile, track::kEvaluationsFile, track::kGeneratedFile}) {
    if (std::filesystem::file_size(path_ / journal, failure) > 0 && !failure) return true;
  }
  for (const auto& entry : std::filesystem::directory_iterator(path_, failure)) {
    std::error_code unread;
    const bool is_folder = entry.is_directory(unread);
    if (is_folder && !std::filesystem::is_empty(entry.path(), unread)) return true;
  }
  return failure.operator bool();
}

bool RunFolder::is_empty() const {
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(path_, failure)) {
    const bool holds_nothing = entry.path() == checkpoint::checkpoints_folder(path_) &&
                               std::filesystem::is_empty(entry.path(), failure);
    if (entry.path().filename() != files::kLockFile && !holds_nothing) return false;
  }
  return !failure;
}

std::string RunFolder::start_over() {
  if (is_empty()) return "";
  const std::filesystem::path aside = free_name(path_);
  // The lock moves with its file and is still held while the new folder gets one.
  files_.rename_new(path_, aside);
  files_.sync_folder(path_.parent_path());
  files::make_folders(files_, path_);
  lock_ = std::make_unique<files::Lock>(path_);
  new_folders_ = {path_};  // the destructor removes it if the run fails early
  return aside.string();
}

void RunFolder::write(const std::string& name, const std::string& text) {
  files::publish(files_, path_ / name, text);
}

void RunFolder::remove(const std::string& name) {
  if (!schema::is_there(path_ / name)) return;
  files_.remove_file(path_ / name);
  files_.sync_folder(path_);
}

}  // namespace knead::run
