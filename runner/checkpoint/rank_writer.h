#pragma once

#include <filesystem>
#include <future>
#include <thread>

#include "runner/checkpoint/rank_parts.h"

namespace knead::checkpoint {

/// Writes the files of one rank, in a background thread or in the calling one. All functions are
/// called from one thread, that of the training loop.
class RankWriter {
 public:
  /// Borrows `files`. Without `in_background` each call of start() writes before it returns.
  RankWriter(files::FileSystem& files, bool in_background);
  /// Waits for the files that are being written.
  ~RankWriter();
  RankWriter(const RankWriter&) = delete;
  RankWriter& operator=(const RankWriter&) = delete;

  /// Writes the parts into a folder that exists. Must not be called again before take().
  void start(std::filesystem::path folder, RankParts parts);

  /// Returns whether take() would not wait: all is written, or could not be.
  bool is_done() const;

  /// Waits for the files and returns what has become of them. Once for each start().
  RankResult take();

 private:
  files::FileSystem& files_;
  bool in_background_;
  std::future<RankResult> result_;
  std::thread thread_;  // runs between start() and take()
};

}  // namespace knead::checkpoint
