#include "runner/engine/model/explain/module_files.h"

#include <algorithm>
#include <system_error>

namespace knead::engine::model {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_project_root(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / ".git", error) || is_file(folder / "pyproject.toml") ||
         is_file(folder / "setup.py") || is_file(folder / "requirements.txt");
}

}  // namespace

std::vector<fs::path> search_folders(const fs::path& folder) {
  constexpr std::size_t kMost = 8;         // a root is not searched for further up
  constexpr std::size_t kWithoutRoot = 3;  // the folder itself and two above it
  std::error_code error;
  fs::path here = fs::absolute(folder.empty() ? fs::path(".") : folder, error).lexically_normal();
  if (!here.has_filename()) here = here.parent_path();
  std::vector<fs::path> folders;
  while (folders.size() < kMost) {
    folders.push_back(here);
    if (is_project_root(here)) return folders;
    if (here == here.root_path()) break;
    here = here.parent_path();
  }
  folders.resize(std::min(folders.size(), kWithoutRoot));
  return folders;
}

std::optional<ModuleFile> module_at(const fs::path& path) {
  std::error_code error;
  fs::path file = path;
  file += ".py";
  const fs::path init = path / "__init__.py";
  // A package comes before a file of the same name, as in Python.
  if (is_file(init)) return ModuleFile{.file = init, .folder = path};
  if (is_file(file)) return ModuleFile{.file = file, .folder = {}};
  if (fs::is_directory(path, error)) return ModuleFile{.file = {}, .folder = path};
  return std::nullopt;
}

std::optional<fs::path> path_of_module(const std::vector<fs::path>& folders,
                                       const std::string& name) {
  std::string relative = name;
  std::replace(relative.begin(), relative.end(), '.', '/');
  std::optional<fs::path> plain_folder;
  for (const fs::path& folder : folders) {
    const auto found = module_at(folder / relative);
    if (found && !found->file.empty()) return folder / relative;
    // A folder without __init__.py counts only if no file has the name.
    if (found && !plain_folder) plain_folder = folder / relative;
  }
  return plain_folder;
}

}  // namespace knead::engine::model
