#include "runner/front/check/model_files.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runner/syntax/classes.h"
#include "runner/syntax/parse.h"
#include "runner/syntax/walk.h"
#include "schema/document/error.h"

namespace knead::front {
namespace {

namespace fs = std::filesystem;

/// Returns whether the engine provides a module, even if a file beside the model has its name.
bool is_given(std::string_view module) {
  static constexpr std::array<std::string_view, 6> kGiven{"torch",       "math", "typing",
                                                          "dataclasses", "copy", "__future__"};
  const std::string_view root = module.substr(0, module.find('.'));
  return std::find(kGiven.begin(), kGiven.end(), root) != kGiven.end();
}

std::string as_path(std::string module) {
  std::replace(module.begin(), module.end(), '.', '/');
  return module;
}

/// Collects the modules that the statements of a file import, nested ones too. `from a import b`
/// gives a and a.b, because b may be a module.
struct Imports {
  std::vector<std::string> modules;

  void operator()(const syntax::Expression&) {}
  void operator()(const syntax::Statement& statement) {
    syntax::for_each_child(statement, *this);
    const auto* import = std::get_if<syntax::Import>(&statement.kind);
    if (!import || import->level > 1) return;
    const std::string before = import->module.empty() ? "" : import->module + ".";
    const bool is_ours = import->level == 0 && is_given(import->module);
    if (import->is_from && !import->module.empty() && !is_ours) modules.push_back(import->module);
    for (const syntax::ImportedName& one : import->names) {
      const bool is_known = import->level == 0 && is_given(before + one.name);
      if (!is_known) modules.push_back(before + one.name);
    }
  }
};

}  // namespace

ModelFiles::ModelFiles(const schema::Files& files, const fs::path& path, const std::string& name)
    : seam_(files), main_(path), shown_folder_(fs::path(name).parent_path().string()) {
  read(path, name);
}

void ModelFiles::read(const fs::path& path, const std::string& name) {
  if (files_.contains(path)) return;  // also ends circular imports
  const auto text = [&] {
    try {
      return seam_.read(path);
    } catch (const Error& error) {
      throw Error(fmt::format("'{}' {}", name, error.what()), error.remedy());
    }
  };
  const auto source = std::make_shared<schema::Source>(name, path, text());
  const auto file = syntax::parse(source);
  files_[path] = file;
  read_imports(*file);
}

void ModelFiles::read_imports(const syntax::File& file) {
  Imports imports;
  for (const syntax::Statement& statement : file.body) imports(statement);
  for (const std::string& module : imports.modules) {
    for (const std::string& relative :
         {as_path(module) + ".py", as_path(module) + "/__init__.py"}) {
      const fs::path path = main_.parent_path() / relative;
      if (!seam_.exists(path)) continue;
      read(path, (fs::path(shown_folder_) / relative).string());
      break;
    }
  }
}

const syntax::File* ModelFiles::imported(const std::string& module) const {
  for (const std::string& relative : {as_path(module) + ".py", as_path(module) + "/__init__.py"}) {
    const auto found = files_.find(main_.parent_path() / relative);
    if (found != files_.end()) return found->second.get();
  }
  return nullptr;
}

bool ModelFiles::may_have(const std::string& module) const {
  for (fs::path folder = main_.parent_path();; folder = folder.parent_path()) {
    if (seam_.exists(folder / (module + ".py")) || !seam_.names(folder / module).empty())
      return true;
    if (folder == folder.parent_path()) return false;
  }
}

Meaning ModelFiles::meaning(const syntax::File& file, std::string_view name) const {
  Path path;
  return meaning(file, name, path);
}

Meaning ModelFiles::meaning(const syntax::File& file, std::string_view name, Path& path) const {
  if (!path.emplace(&file, name).second) return {};  // a circular import
  const syntax::Statement* binding = nullptr;
  for (const syntax::Statement& statement : file.body) {
    if (!syntax::binds(statement, name)) continue;
    if (binding) return {};  // several bindings: which one holds shows only at run time
    binding = &statement;
  }
  if (!binding) return meaning_by_star(file, name, path);
  if (const auto* one = std::get_if<syntax::Class>(&binding->kind)) {
    return {Meaning::Kind::a_class, {&file, one}};
  }
  const auto* import = std::get_if<syntax::Import>(&binding->kind);
  return import ? meaning_by_import(*import, name, path) : Meaning{};
}

Meaning ModelFiles::meaning_by_import(const syntax::Import& import, std::string_view name,
                                      Path& path) const {
  const syntax::File* file = import.is_from ? imported(import.module) : nullptr;
  if (!file) return {};
  for (const syntax::ImportedName& one : import.names) {
    if ((one.alias.empty() ? one.name : one.alias) != name) continue;
    const Meaning there = meaning(*file, one.name, path);
    return there.kind == Meaning::Kind::a_class ? there : Meaning{};
  }
  return {};
}

/// Returns the meaning of a name that no statement binds: it may come from `from module import *`.
Meaning ModelFiles::meaning_by_star(const syntax::File& file, std::string_view name,
                                    Path& path) const {
  for (const syntax::Statement& statement : file.body) {
    const auto* import = std::get_if<syntax::Import>(&statement.kind);
    if (!import || !import->is_from || import->names[0].name != "*") continue;
    const syntax::File* other = imported(import->module);
    const Meaning there = other ? meaning(*other, name, path) : Meaning{};
    if (there.kind != Meaning::Kind::nothing) return there;
  }
  return {Meaning::Kind::nothing, {}};
}

}  // namespace knead::front
