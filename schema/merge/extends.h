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

/// The access of the document layer to files. Tests and fuzzing replace it, so they need no disk.
struct Files {
  /// Returns the text of a file without a byte order mark, cut soon after kMostBytes. Throws
  /// knead::Error if the file cannot be read: what() continues a sentence that begins with the name
  /// of the file ("cannot be read: …"), and only a folder has a remedy.
  std::function<std::string(const std::filesystem::path&)> read;
  std::function<bool(const std::filesystem::path&)> exists;  // false for a folder
  /// Returns the names in a folder, for "did you mean"; empty if there is no such folder.
  std::function<std::vector<std::string>(const std::filesystem::path&)> names;
};

/// Returns the file system of this machine. Of a folder it lists at most 1000 names.
Files disk();

/// Reads what an open file, a pipe or a terminal gives, as Files::read reads a file.
std::string text_of(int descriptor);

/// Returns a hint for a missing file: "did you mean 'base.yaml'?", "that is a folder", or an empty
/// text if its folder has no similar name. `written` is the recipe's spelling of `path`; the hint
/// keeps its folder part.
std::string nearest_file(const std::string& written, const std::filesystem::path& path,
                         const Files& files);

/// Reads a recipe and all files that it extends into one tree, with shorthands written out. The
/// files are merged in order, `main` last. Returns std::nullopt if a file cannot be read to its
/// end; `problems` then has the reason.
///
/// A path in `extends` is relative to the file that names it, and may hold `${env:…}`. There are at
/// most 8 levels and 64 files besides `main`, and a file that extends itself is an error. The key
/// `extends` is not in the result. Each node keeps the place in its own file. `type` is the type of
/// a whole recipe; it is needed to write out shorthands before the merge.
std::optional<Node> read_recipe_tree(std::shared_ptr<const Source> main, const Type& type,
                                     const Files& files, const Environment& environment,
                                     Problems& problems);

}  // namespace knead::schema
