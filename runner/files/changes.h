#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace knead::files {

/// Tells which folders have changed: entries that were added, removed, written or closed. The
/// system reports that (inotify); a folder for which it does not is listed by unseen(), and the
/// caller looks there from time to time: on file systems of other machines, or where the system's
/// limit of watches is reached. Not thread-safe.
class Changes {
 public:
  Changes();
  ~Changes();
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;

  /// Begins to watch a folder. A second call for a folder has no effect. A folder that is missing
  /// is unseen.
  void watch(const std::filesystem::path& folder);
  /// Ends watching a folder.
  void forget(const std::filesystem::path& folder);

  /// Returns a descriptor that poll() reports as readable when a folder has changed; -1 if the
  /// system gives none.
  int descriptor() const { return notify_; }

  /// Returns the folders that have changed since the last call. Does not wait.
  std::set<std::filesystem::path> take();

  /// Returns the folders of which the system does not report changes.
  const std::set<std::filesystem::path>& unseen() const { return unseen_; }

 private:
  int notify_;
  std::map<int, std::filesystem::path> folders_;  // by inotify's number
  std::set<std::filesystem::path> unseen_;
};

}  // namespace knead::files
