#pragma once

#include <chrono>
#include <filesystem>
#include <string>

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
  /// Who held it stays written in the file where an exception ends the holder, as where it is
  /// killed.
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

/// What the lock of a folder tells those who only look.
struct LockState {
  bool is_held = false;
  /// "process 4711 on HOST since 2026-11-21 17:05:12". Of a lock that nobody holds: who died or
  /// failed while holding it; empty where the last holder ended in order, or there was none.
  std::string holder;
};

/// Changes nothing.
LockState look_at_lock(const std::filesystem::path& folder);

}  // namespace knead::files
