#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "runner/files/lock.h"
#include "runner/plan/evaluations.h"
#include "runner/track/report.h"

namespace knead::tests {

/// A folder of a run that is written step by step, as training would.
class WrittenRun {
 public:
  /// Creates the folder and takes its lock.
  explicit WrittenRun(const std::filesystem::path& folder, const std::string& until = "1000 steps");

  /// Adds a report, of 32 samples a step and 100 steps a second.
  void report(std::uint64_t step, double loss);
  void evaluated(const plan::Evaluation& evaluation);
  /// Adds a text to metrics.jsonl as it is.
  void add(const std::string& text);
  /// Cuts metrics.jsonl back to its first lines, as a resume does.
  void cut_to(std::size_t lines);
  /// Ends the run in order, with a checkpoint of its last step.
  void finish();
  /// Gives the lock back, as an ordered stop does.
  void let_go() { lock_.reset(); }

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<files::Lock> lock_;
  std::uint64_t step_ = 0;
};

}  // namespace knead::tests
