#pragma once

#include <chrono>
#include <filesystem>

namespace knead::files {

/// The lock of a run's folder: the file LOCK in it, which says who holds it. The system gives it up
/// when the holder dies, however it dies. Advisory, per machine or, where the file system shares
/// locks, for all of them.
class Lock {
 public:
  /// Takes the lock of an existing folder. Throws knead::Error where another process still holds it
  /// after `patience` (a process that was just killed may need a moment), naming that process, and
  /// where the folder cannot be written to.
  explicit Lock(const std::filesystem::path& folder,
                std::chrono::milliseconds patience = std::chrono::seconds(1));
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

}  // namespace knead::files
