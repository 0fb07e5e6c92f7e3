#pragma once

#include <filesystem>
#include <vector>

namespace knead::data {

/// Expands the paths of a recipe to files, in the order of the paths. Reads folders, but opens no
/// file.
///
/// * A pattern (`*`, `?`, `[…]`, as glob(3) understands them) gives the paths that match, sorted by
///   the bytes of their paths, so that the order depends neither on the locale nor on the file
///   system. Hidden files match only if the pattern writes their dot.
/// * `{000..127}` counts as a shell does, up or down, with at least as many digits as its first
///   number has: "{08..10}" gives 08, 09 and 10. Several ranges in a path are combined; the last
///   one runs fastest.
/// * A path of a file that exists stands for itself, even if it contains these characters.
///
/// Throws knead::Error for a pattern without a match and for a path whose ranges together stand for
/// more than 100,000 files. A path without a pattern is not checked: opening the file reports that
/// it is missing. A file that is named twice is returned twice.
std::vector<std::filesystem::path> named_files(const std::vector<std::filesystem::path>& paths);

}  // namespace knead::data
