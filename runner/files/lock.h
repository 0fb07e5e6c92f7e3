#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace knead::files {

/// The name of the lock's file within its folder. The file stays when the lock is released.
inline constexpr const char* kLockFile = "LOCK";

/// Holds the lock of a run's folder: an flock() on its file LOCK, which names the holder in three
/// lines (process id, host, local time). The system releases the lock when the holder's process
/// ends in any way. The lock is advisory and works on one machine, or on all machines where the
/// file system shares locks. A second Lock on the same folder is refused also within one process.
class Lock {
 public:
  /// Takes the lock of an existing folder. Throws knead::Error if another process still holds the
  /// lock after `patience` (a process that was just killed may need a moment to end), and names
  /// that process. Throws knead::Error as well if the folder is not writable.
  explicit Lock(const std::filesystem::path& folder,
                std::chrono::milliseconds patience = std::chrono::seconds(1));
  /// Releases the lock. Erases the name of the holder, except while an exception unwinds the stack:
  /// then, as after a kill, the file still tells who failed.
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;  // descriptor of LOCK, which holds the lock
};

/// Describes the lock of a folder to a reader that does not take it.
struct LockState {
  bool is_held = false;
  /// The holder, "process 4711 on HOST since 2026-11-21 17:05:12". For a free lock: the process
  /// that died or failed while holding it; empty if the last holder ended in order or there was
  /// none.
  std::string holder;
};

/// Reads the state of the lock of a folder. Changes nothing; a LOCK file that is missing is a free
/// lock. The answer may be out of date at once: only a Lock keeps others out. Throws knead::Error
/// if this user may not read LOCK, or if the file system does not tell whether it is locked.
LockState look_at_lock(const std::filesystem::path& folder);

}  // namespace knead::files
