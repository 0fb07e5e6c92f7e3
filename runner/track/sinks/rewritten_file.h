#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "runner/track/journal.h"

namespace knead::track {

/// Holds a small file that others read while a run goes on, and that is replaced as a whole: a
/// reader sees the old content or the new one. Its mode is 0644, because its readers are often
/// programs of another user. A failure (a full disk) is warned about once; the old content stays.
class RewrittenFile {
 public:
  /// Does not touch the file. Missing folders above it are made at the first write. A pause bounds
  /// how often offer() writes.
  RewrittenFile(std::filesystem::path path, Warn warn,
                std::chrono::milliseconds pause = std::chrono::seconds(1))
      : path_(std::move(path)), warn_(std::move(warn)), pause_(pause) {}

  /// Writes the text that `make` returns, unless the last write is less than a pause ago.
  void offer(const std::function<std::string()>& make);

  /// Writes a text.
  void write(const std::string& text);

 private:
  void fail(const std::string& why);

  std::filesystem::path path_;
  Warn warn_;
  std::chrono::milliseconds pause_;
  std::optional<std::chrono::steady_clock::time_point> written_;
  bool has_failed_ = false;
};

}  // namespace knead::track
