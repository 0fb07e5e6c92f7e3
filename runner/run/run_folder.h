#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "runner/files/file_system.h"
#include "runner/files/lock.h"

namespace knead::engine {

/// The folder of a run, locked while this lives. A folder that was made here and got no number and
/// no checkpoint is gone afterwards: a run that fails at its door leaves no trace.
class RunFolder {
 public:
  /// Makes it where it is missing. Throws knead::Error where another run holds it, or it cannot be
  /// written to.
  RunFolder(files::FileSystem& files, std::filesystem::path path);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Moves what is in it aside, to "<path>.old-<n>", and begins with an empty one. Nothing where it
  /// is empty. The new name of the old one.
  std::string start_over();

  /// Replaces one of its files, whole or not at all.
  void write(const std::string& name, const std::string& text);

 private:
  bool is_empty() const;
  bool has_results() const;

  files::FileSystem& files_;
  std::filesystem::path path_;
  std::vector<std::filesystem::path> new_folders_;  // that were made here, the innermost first
  std::unique_ptr<files::Lock> lock_;
};

}  // namespace knead::engine
