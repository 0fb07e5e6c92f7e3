#pragma once

#include <map>
#include <string>
#include <vector>

#include "runner/report/contained_files.h"
#include "runner/report/page.h"
#include "runner/track/predictions.h"

namespace knead::report {

/// Follows the folder `predictions` of a run: what its last and its best evaluation found. Not
/// thread-safe.
class PredictionFiles {
 public:
  /// Borrows `files`. Reads nothing yet.
  PredictionFiles(ContainedFiles& files, const std::filesystem::path& run_folder);

  /// Reads files that are new, and forgets those that are gone. Returns whether there were any.
  /// Throws files::FileError.
  bool read_on();

  /// Returns the predictions by step; of more files than a run has, the last ones.
  const std::map<std::int64_t, track::Predictions>& by_step() const { return by_step_; }

  /// Returns a sentence for each file that could not be read, by its step.
  const std::map<std::int64_t, std::string>& notes() const { return notes_; }

 private:
  ContainedFiles& files_;
  std::filesystem::path folder_;
  std::map<std::int64_t, track::Predictions> by_step_;
  std::map<std::int64_t, std::string> notes_;
};

/// Returns the pairs of different classes, the most frequent first.
std::vector<track::ClassPair> mistakes_of(const track::Predictions& all);

/// Adds a section with the worst and best predictions, which classes were confused, calibration,
/// and what was predicted against what is true. Nothing if there are none. `best`: the step of the
/// best evaluation, -1 if there is none.
void add_predictions(const PredictionFiles& files, std::int64_t best,
                     std::vector<Section>& sections);

}  // namespace knead::report
