#include "runner/data/source/paths.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <glob.h>

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/document/regular_expression.h"
#include "schema/document/regular_file.h"

namespace knead::data {
namespace {

using Paths = std::vector<std::filesystem::path>;

// Bounds the memory that mistyped ranges can take; no data set has as many files.
constexpr std::uint64_t kMostCounted = 100'000;

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

const schema::RegularExpression& range_expression() {
  static const schema::RegularExpression kRange(R"(\{(\d{1,9})\.\.(\d{1,9})\})");
  return kRange;
}

/// Holds the first and the last number of a range; either may be the larger one.
struct Ends {
  int first = 0, last = 0;

  std::uint64_t numbers() const { return static_cast<std::uint64_t>(std::abs(last - first)) + 1; }
};

Ends ends_of(const schema::Match& range) { return {std::stoi(range[1]), std::stoi(range[2])}; }

/// Throws knead::Error if the ranges in a path together stand for too many files. The message shows
/// the path from its first range to the range with which they are too many.
void limit_ranges(const std::string& path) {
  std::uint64_t files = 1;
  std::string shown;
  for (const schema::Match& range : range_expression().find_all(path)) {
    // Cannot overflow: a range has at most 10^9 numbers, and the product before it is limited.
    files *= ends_of(range).numbers();
    shown += (shown.empty() ? "" : range.before) + range[0];
    if (files <= kMostCounted) continue;
    if (schema::is_there(path)) return;
    throw Error(fmt::format("{} stands for {} files", shown, files),
                fmt::format("the ranges of a path count {} at most", kMostCounted));
  }
}

/// Appends the paths that the ranges in `rest` stand for, each behind `begin`, which is not
/// searched for ranges; the path itself if it has no range or names a file that exists.
void count(const std::string& begin, const std::string& rest, Paths& out) {
  // A file whose name contains braces is taken as it is, so the range is expanded only where no
  // such file exists.
  const auto range = range_expression().find(rest);
  if (!range || schema::is_there(begin + rest)) return out.push_back(begin + rest);
  const auto [first, last] = ends_of(*range);
  const int step = first <= last ? 1 : -1;
  for (int number = first; number != last + step; number += step) {
    const std::string longer =
        fmt::format("{}{}{:0{}}", begin, range->before, number, (*range)[1].size());
    count(longer, range->after, out);
  }
}

/// Returns the paths that ranges such as `{000..127}` stand for, as a shell expands them; the path
/// itself if it has no range or names a file that exists. Throws knead::Error for too many files.
Paths counted(const std::filesystem::path& path) {
  limit_ranges(path.string());
  Paths paths;
  count("", path.string(), paths);
  return paths;
}

/// Returns whether a path is a pattern. A path of an existing file is not one, even if it contains
/// the characters of patterns.
bool is_pattern(const std::filesystem::path& path) {
  return path.native().find_first_of("*?[") != std::string::npos && !schema::is_there(path);
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
