#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace knead::engine::model {

/// The file of a module of the model: `blocks.py`, or `blocks/__init__.py`. A folder without
/// __init__.py only contains other modules.
struct ModuleFile {
  std::filesystem::path file;    // empty for a folder without __init__.py
  std::filesystem::path folder;  // empty for a file that is no folder's __init__.py
};

/// Returns the folders in which absolute imports of a model's files are searched for, the nearest
/// first: the folder of the model and those above it, up to the root of its project (a folder with
/// .git, pyproject.toml, setup.py or requirements.txt), or two folders up where no root is found.
/// Python would find the same files when the program is started from the project.
std::vector<std::filesystem::path> search_folders(const std::filesystem::path& folder);

/// Returns the module at `path`, which is a path without an extension; std::nullopt if there is
/// none.
std::optional<ModuleFile> module_at(const std::filesystem::path& path);

/// Returns the path of the module `a.b.c` below the first folder that has it: FOLDER/a/b/c.
/// std::nullopt if none has it.
std::optional<std::filesystem::path> path_of_module(
    const std::vector<std::filesystem::path>& folders, const std::string& name);

}  // namespace knead::engine::model
