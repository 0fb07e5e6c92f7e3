#include "runner/data/source/paths.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include <glob.h>

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/document/regular_expression.h"

namespace knead::data {
namespace {

using Paths = std::vector<std::filesystem::path>;

// Bounds the memory that a mistyped range can take; no data set has as many files.
constexpr int kMostCounted = 100'000;

/// Returns the files that match a pattern, sorted by the bytes of their paths, so that the order
/// does not depend on the locale.
Paths matches_of(const std::filesystem::path& pattern) {
  glob_t found{};
  Paths paths;
  // A failure of glob(), such as a folder that may not be read, gives no matches, and the caller
  // reports the pattern.
  if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  std::sort(paths.begin(), paths.end(),
            [](const auto& a, const auto& b) { return a.native() < b.native(); });
  return paths;
}

/// Returns the paths that ranges such as `{000..127}` stand for, as a shell expands them; the path
/// itself if it has no range or names a file that exists.
Paths counted(const std::filesystem::path& path) {
  static const schema::RegularExpression kRange(R"(\{(\d{1,9})\.\.(\d{1,9})\})");
  // A file whose name contains braces is taken as it is, so the range is expanded only where no
  // such file exists.
  const std::string text = path.string();
  const auto range = kRange.find(text);
  if (!range || std::filesystem::exists(path)) return {path};
  const int first = std::stoi((*range)[1]), last = std::stoi((*range)[2]);
  if (std::abs(last - first) >= kMostCounted)
    throw Error(fmt::format("{} stands for {} files", (*range)[0], std::abs(last - first) + 1),
                fmt::format("a range counts {} at most", kMostCounted));
  Paths paths;
  const int step = first <= last ? 1 : -1;
  for (int number = first; number != last + step; number += step) {
    const Paths more =
        counted(fmt::format("{}{:0{}}{}", range->before, number, (*range)[1].size(), range->after));
    paths.insert(paths.end(), more.begin(), more.end());
  }
  return paths;
}

/// Returns whether a path is a pattern. A path of an existing file is not one, even if it contains
/// the characters of patterns.
bool is_pattern(const std::filesystem::path& path) {
  return path.native().find_first_of("*?[") != std::string::npos && !std::filesystem::exists(path);
}

}  // namespace

Paths named_files(const Paths& paths) {
  Paths files;
  Paths each;
  for (const auto& path : paths) {
    const Paths more = counted(path);
    each.insert(each.end(), more.begin(), more.end());
  }
  for (const auto& path : each) {
    const Paths found = is_pattern(path) ? matches_of(path) : Paths{path};
    if (found.empty())
      throw Error(fmt::format("no file matches {}", path.string()),
                  "a path in a recipe is relative to the file that names it");
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

}  // namespace knead::data
