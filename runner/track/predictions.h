#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knead::track {

/// A prediction of one sample, in words for people.
struct Prediction {
  std::uint64_t sample = 0;  // place in its set, from 0
  double loss = 0;           // of the sample by itself
  std::string target{};      // a class or numbers; may be empty
  std::string predicted{};   // the same; may be empty
  double confidence = 0;     // probability of the predicted class; NaN without classes
  std::string text{};        // what the model saw, if no picture shows it; may be empty
  std::string picture{};     // a PNG file in base64; may be empty
};

/// Counts how often a class was taken for another, or for itself.
struct ClassPair {
  std::uint64_t target = 0;
  std::uint64_t predicted = 0;
  std::uint64_t count = 0;
};

/// Counts the predictions whose confidence lies in one of equal parts of 0 … 1.
struct ConfidenceBin {
  std::uint64_t count = 0;
  std::uint64_t right = 0;
  double confidence = 0;  // mean of these predictions; 0 if there are none
};

/// Holds what an evaluation found besides its numbers (evaluate.samples): a file of a run.
struct Predictions {
  std::uint64_t step = 0;
  std::string set{};
  std::uint64_t samples = 0;         // that count for the loss
  std::vector<Prediction> worst{};   // in descending order of the loss
  std::vector<Prediction> best{};    // in ascending order of the loss
  std::uint64_t classes = 0;         // 0 without classes
  std::vector<std::string> names{};  // of the classes, if they are known
  /// All pairs that occur, in order, or the most frequent mistakes if there are too many classes.
  std::vector<ClassPair> pairs{};
  bool has_all_pairs = true;
  std::vector<ConfidenceBin> bins{};  // empty without classes
  /// What is true and what was predicted, for numbers: all, or as many as a chart shows.
  std::vector<std::pair<double, double>> points{};
};

/// Of so many classes all pairs are kept.
inline constexpr std::uint64_t kMostClassesInPairs = 40;

/// The folder of these files in that of a run: step-STEP.json, of the last evaluation and of the
/// best one.
inline constexpr const char* kPredictionsFolder = "predictions";

/// Returns the predictions as JSON, and reads them from there. predictions_in() throws
/// nlohmann::json::exception for a text of another form.
std::string to_text(const Predictions& predictions);
Predictions predictions_in(std::string_view text);

/// Returns the expected calibration error (Naeini et al., 2015): the mean, over all predictions, of
/// the distance between confidence and share of right ones in their bin.
double calibration_error(const std::vector<ConfidenceBin>& bins);

/// Returns the step of a file of that folder by its name; -1 for another name.
std::int64_t step_of_predictions(const std::string& file_name);

/// Writes the predictions of an evaluation to the folder of a run, whole or not at all, and removes
/// those of earlier ones, except `best`, the step of the best evaluation. Throws
/// files::FileError.
void write_predictions(const std::filesystem::path& run_folder, const Predictions& predictions,
                       std::uint64_t best);

/// Removes what a run that goes on from a step has written behind it. Throws files::FileError.
void remove_predictions_after(const std::filesystem::path& run_folder, std::uint64_t step);

}  // namespace knead::track
