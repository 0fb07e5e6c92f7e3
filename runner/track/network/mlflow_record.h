#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "recipe.h"

namespace knead::track {

/// The file in the folder of a run, or of a sweep, that says which run of an MLflow server it is.
inline constexpr const char* kMlflowFile = "mlflow.json";

/// Holds which run of an MLflow server a folder is. What the server has of its numbers is asked
/// from the server, so that this need not be written at each batch.
struct MlflowRecord {
  std::string url;
  std::string experiment;
  /// A random tag of the run, stored before the server is asked to make the run: if its answer is
  /// lost, the run is found by it.
  std::string key;
  std::string run_id;             // empty until the server has made it
  std::int64_t milliseconds = 0;  // when the run began, since 1970; numbers are dated by it
  /// The artifacts that the server has, with what identifies each one's content.
  std::map<std::string, std::string> artifacts;
};

/// Reads the record of a folder. Returns a new one, with a new key, if there is none or if it is of
/// another server or experiment. Throws knead::Error if the file cannot be read.
MlflowRecord read_record(const std::filesystem::path& folder, const recipe::MlflowSink& sink);

/// Publishes the record durably. Throws knead::Error.
void write_record(const std::filesystem::path& folder, const MlflowRecord& record);

}  // namespace knead::track
