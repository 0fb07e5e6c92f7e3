#pragma once

#include <filesystem>
#include <string>

namespace knead::sweep {

/// The name of the file in the folder of a sweep whose bytes stand for its trials.
inline constexpr const char* kClaimsFile = "CLAIMS";

/// Keeps two sweeps over one folder from running a trial at the same time. A claim is a lock on one
/// byte of the file CLAIMS, at a place that follows from the trial's id, so that nothing is left
/// behind: the system releases the claims of a process when it ends in any way. Works between
/// machines where the file system shares locks. Not thread-safe.
class Claims {
 public:
  /// Opens or creates the file in an existing folder. Throws knead::Error if it cannot be opened.
  explicit Claims(const std::filesystem::path& folder);
  ~Claims();
  Claims(const Claims&) = delete;
  Claims& operator=(const Claims&) = delete;

  /// Claims a trial; returns false if another sweep has it. `id` is 16 hexadecimal digits. Throws
  /// knead::Error if the file system has no locks.
  bool take(const std::string& id);

  /// Gives a trial back.
  void release(const std::string& id);

 private:
  std::filesystem::path path_;
  int file_;
};

}  // namespace knead::sweep
