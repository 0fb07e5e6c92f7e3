#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recipe.h"
#include "schema/document/error.h"

namespace knead::run {

/// Describes the end of a run or a sweep to those who are told of it.
struct RunEnding {
  std::string name;
  std::filesystem::path folder;
  std::string host;
  Exit code = Exit::done;
  std::uint64_t step = 0;  // of a run; 0 if it has none
  std::string best;        // a clause such as "validation/loss 0.53 at step 188"; may be empty
};

/// Holds one POST. The URL is a secret.
struct Notice {
  std::string url;
  std::string body;  // JSON
};

/// Returns the posts that a recipe wants for an end, in its order: 0 is finished, 75 and 130 are
/// stopped, every other code is failed. Leaves out an empty URL. Pure.
std::vector<Notice> notices_of(const recipe::Recipe& recipe, const RunEnding& ending);

/// Describes the end of the run in a folder, by its journals and its state. A folder that cannot be
/// read gives what is known without it.
RunEnding ending_of_run(const std::filesystem::path& folder, Exit code);

/// Returns notices as lines, and reads them from there. Throws nlohmann::json::exception.
std::string to_lines(const std::vector<Notice>& notices);
std::vector<Notice> notices_in(const std::string& lines);

}  // namespace knead::run
