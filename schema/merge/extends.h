#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schema/document/node.h"
#include "schema/document/problem.h"
#include "schema/merge/environment.h"
#include "schema/table/table.h"

namespace knead::schema {

/// How the document layer sees files: one seam, so that tests and fuzzing run without a disk.
struct Files {
  /// The text of a file, not much more than kMostBytes of it; throws knead::Error where it cannot
  /// be read.
  std::function<std::string(const std::filesystem::path&)> read;
  std::function<bool(const std::filesystem::path&)> exists;  // and is no folder
  /// The names in a folder, for "did you mean"; empty where there is none.
  std::function<std::vector<std::string>(const std::filesystem::path&)> names;
};

/// The files of this machine.
Files disk();

/// "did you mean 'base.yaml'?" for a file that is not there; empty if its folder holds nothing of a
/// similar name. `written` is how the recipe names `path`.
std::string nearest_file(const std::string& written, const std::filesystem::path& path,
                         const Files& files);

/// Reads a recipe and all that it extends into one tree, shorthands written out. The sources are
/// merged in order, the file itself last. Returns nothing where a text could not be read to its
/// end; `problems` says why.
std::optional<Node> read_recipe_tree(std::shared_ptr<const Source> main, const Type& type,
                                     const Files& files, const Environment& environment,
                                     Problems& problems);

}  // namespace knead::schema
