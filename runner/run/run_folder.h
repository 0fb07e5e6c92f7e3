#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "runner/files/file_system.h"
#include "runner/files/lock.h"

namespace knead::run {

/// Holds the locked folder of a run. The destructor removes a folder that this object created if
/// neither a journal has a line nor a subfolder, such as that of the checkpoints, has content, so
/// that a run that fails early leaves nothing. Missing parents that the object created go with it
/// if they are empty.
///
/// One object lives as long as the run, in the process of rank 0. Not thread-safe.
class RunFolder {
 public:
  /// Creates the folder and its missing parents, and locks it. Borrows `files`. Throws knead::Error
  /// if another run holds the lock, or the folder cannot be created or written.
  RunFolder(files::FileSystem& files, std::filesystem::path path);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Renames the folder to "<path>.old-<n>", with the first n from 1 that is free, and creates and
  /// locks an empty one. Returns the new name of the old folder; empty, without an effect, if the
  /// folder was empty. Throws FileError if the folder cannot be renamed or created.
  std::string start_over();

  /// Publishes a file in the folder: at any time it has either its old or its new content, also
  /// after a power cut. Throws knead::Error; the old content then stays.
  void write(const std::string& name, const std::string& text);

  /// Removes a file of the folder durably, if there is one. Throws FileError.
  void remove(const std::string& name);

 private:
  /// Returns whether the folder holds at most the lock and an empty folder of checkpoints.
  bool is_empty() const;

  /// Removes files that a killed process was writing.
  static void remove_leftovers(const std::filesystem::path& folder);

  /// Returns whether a journal has a line or a subfolder has content; true if it cannot be read.
  bool has_results() const;

  files::FileSystem& files_;
  std::filesystem::path path_;
  std::vector<std::filesystem::path> new_folders_;  // created here, the innermost first
  std::unique_ptr<files::Lock> lock_;
};

}  // namespace knead::run
