#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "runner/files/file_system.h"
#include "runner/files/lock.h"

namespace knead::run {

/// Holds the locked folder of a run. The destructor removes a folder that this object created if it
/// has neither a line in a journal nor a checkpoint, so that a run that fails early leaves nothing.
class RunFolder {
 public:
  /// Creates the folder if it is missing, and locks it. Throws knead::Error if another run holds
  /// the lock, or the folder cannot be created.
  RunFolder(files::FileSystem& files, std::filesystem::path path);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Renames the folder to "<path>.old-<n>" and creates and locks an empty one. Returns the new
  /// name of the old folder; empty, without an effect, if the folder was empty.
  std::string start_over();

  /// Publishes a file in the folder: at any time it has either its old or its new content.
  void write(const std::string& name, const std::string& text);

  /// Removes a file of the folder, if there is one.
  void remove(const std::string& name);

 private:
  /// Returns whether the folder holds at most the lock and an empty folder of checkpoints.
  bool is_empty() const;

  /// Returns whether a journal has a line or a subfolder has content; true if it cannot be read.
  bool has_results() const;

  files::FileSystem& files_;
  std::filesystem::path path_;
  std::vector<std::filesystem::path> new_folders_;  // created here, the innermost first
  std::unique_ptr<files::Lock> lock_;
};

}  // namespace knead::run
