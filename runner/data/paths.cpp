#include "runner/data/paths.h"

#include <algorithm>

#include <glob.h>

#include <fmt/format.h>

#include "schema/error.h"

namespace knead::data {
namespace {

using Paths = std::vector<std::filesystem::path>;

Paths matches_of(const std::filesystem::path& pattern) {
  glob_t found{};
  Paths paths;
  if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  std::sort(paths.begin(), paths.end(),
            [](const auto& a, const auto& b) { return a.native() < b.native(); });
  return paths;
}

/// A file may have the characters of patterns in its name.
bool is_pattern(const std::filesystem::path& path) {
  return path.native().find_first_of("*?[") != std::string::npos && !std::filesystem::exists(path);
}

}  // namespace

Paths named_files(const Paths& paths) {
  Paths files;
  for (const auto& path : paths) {
    const Paths found = is_pattern(path) ? matches_of(path) : Paths{path};
    if (found.empty())
      throw Error(fmt::format("no file matches {}", path.string()),
                  "a path in a recipe is relative to the file that names it");
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

}  // namespace knead::data
