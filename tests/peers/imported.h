#pragma once

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include "runner/peers/import.h"

namespace knead::peers {

inline const std::filesystem::path kFiles =
    std::filesystem::path(KNEAD_ROOT) / "tests/peers/recipes";

inline std::shared_ptr<const schema::Source> source_of(const std::string& text,
                                                       const std::string& name = "theirs.yaml") {
  return std::make_shared<schema::Source>(name, kFiles / name, text);
}

/// The line of a recipe that begins so, without its comment.
inline std::string line_of(const std::string& recipe, const std::string& beginning) {
  std::istringstream lines(recipe);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first == line.npos || line.compare(first, beginning.size(), beginning) != 0) continue;
    std::string out = line.substr(first, line.find(" #") - first);
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
  }
  return "";
}

inline std::string imported(const std::string& text, const std::string& from, int processes = 0) {
  return import_file(source_of(text), from, processes);
}

}  // namespace knead::peers
