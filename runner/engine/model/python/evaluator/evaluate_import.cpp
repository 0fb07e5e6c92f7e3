#include <filesystem>

#include <fmt/format.h>

#include "runner/engine/model/explain/module_files.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/layers.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {
namespace {

namespace fs = std::filesystem;

using NamespacePtr = std::shared_ptr<Namespace>;

/// Returns the placeholder of a module, or of a name of a module, that does not exist. Only its use
/// is an error.
NamespacePtr unavailable(const std::string& name) {
  auto names = make_namespace(name);
  names->available = false;
  return names;
}

/// Returns whether a module belongs to a package that is neither Python's nor PyTorch's.
bool is_other_package(const std::string& name) {
  const std::string root = name.substr(0, name.find('.'));
  return root == "timm" || root == "torchvision" || root == "einops" || root == "huggingface_hub";
}

std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

}  // namespace

/// Runs one import statement.
struct Importer {
  Evaluator& evaluator;
  const syntax::Statement& statement;

  void operator()(const syntax::Import& import) const {
    if (import.is_from && import.module == "__future__") return;
    for (const syntax::ImportedName& name : import.names) {
      if (import.is_from) {
        import_name(import, name);
      } else {
        import_module(name);
      }
    }
  }

  void bind(const std::string& name, const Value& value) const { evaluator.assign(name, value); }

  /// Binds `import a.b as c` to the module and `import a.b` to `a`, which holds b.
  void import_module(const syntax::ImportedName& name) const {
    const NamespacePtr names = absolute(name.name, name.range);
    if (names->file) evaluator.need_all(*names->file);
    const std::size_t dot = name.name.find('.');
    if (!name.alias.empty() || dot == std::string::npos) {
      return bind(name.alias.empty() ? name.name : name.alias, names);
    }
    const std::string root = name.name.substr(0, dot);
    bind(root, absolute(root, name.range));
  }

  /// Binds one name of `from module import name`: a value of the module, or a module below it.
  void import_name(const syntax::Import& import, const syntax::ImportedName& name) const {
    const std::string bound = name.alias.empty() ? name.name : name.alias;
    const NamespacePtr from =
        import.level > 0 ? relative(import) : absolute(import.module, statement.range);
    if (name.name == "*") return import_all(*from, name.range);
    const std::string full = from->name.empty() ? name.name : from->name + "." + name.name;
    if (!from->available) return bind(bound, missing(full, name.range));
    const auto folder = evaluator.folders_of_modules_.find(from.get());
    const bool is_folder = folder != evaluator.folders_of_modules_.end();
    // `from . import name` in __init__.py binds the name itself, to the file.
    const bool is_own = from->file && from->file == evaluator.frames_.back().file;
    const bool is_bound = from->file && (is_own ? from->names->find(name.name) != nullptr
                                                : evaluator.binds(*from->file, name.name));
    if (is_folder && !is_bound) {
      if (auto below = at(folder->second / name.name, full)) return bind(bound, below);
    }
    if (from->file) evaluator.need(*from->file, {name.name});
    if (std::optional<Value> value = evaluator.find_attribute(from, name.name)) {
      return bind(bound, *value);
    }
    if (auto below = evaluator.module(full)) return bind(bound, below);
    if (auto value = import.level > 0 ? std::nullopt : elsewhere(import.module, name.name)) {
      return bind(bound, *value);
    }
    if (from->file || is_folder) refuse_name(*from, name);
    bind(bound, missing(full, name.range));
  }

  /// Returns a name of a module that another folder has as well: Python may be started there.
  std::optional<Value> elsewhere(const std::string& module, const std::string& name) const {
    for (const fs::path& folder : evaluator.folders_) {
      const auto path = path_of_module({folder}, module);
      const NamespacePtr names = path ? at(*path, module) : nullptr;
      if (!names || !names->file || !evaluator.binds(*names->file, name)) continue;
      evaluator.need(*names->file, {name});
      if (auto value = evaluator.find_attribute(names, name)) return value;
    }
    return std::nullopt;
  }

  [[noreturn]] void refuse_name(const Namespace& from, const syntax::ImportedName& name) const {
    const auto bound = from.file ? syntax::bound_names(*from.file->file) : syntax::Names();
    const std::vector<std::string_view> known(bound.begin(), bound.end());
    evaluator.fail(name.range, Mistake::of("ImportError",
                                           fmt::format("cannot import name '{}' from '{}'",
                                                       name.name, from.name),
                                           schema::did_you_mean(name.name, known)));
  }

  /// Binds all names of a module without a leading underscore, or those that its __all__ lists.
  void import_all(const Namespace& from, syntax::Range range) const {
    if (!from.available) {
      evaluator.fail(range, Mistake::of("ModuleNotFoundError",
                                        fmt::format("No module named '{}'", from.name)));
    }
    if (from.file) evaluator.need_all(*from.file);
    const Value* listed = from.names->find("__all__");
    // A copy is read, because the file may import itself.
    for (const auto& [id, value] : NamedValues(from.names->names)) {
      const bool is_public = listed ? evaluator.contains(*listed, id) : !id.starts_with('_');
      if (is_public) bind(id, value);
    }
  }

  /// Returns the placeholder of a missing module or name; raises ImportError in a `try` that
  /// expects it.
  NamespacePtr missing(const std::string& name, syntax::Range range) const {
    if (evaluator.frames_.back().import_guards > 0) {
      evaluator.fail(range,
                     Mistake::of("ModuleNotFoundError", fmt::format("No module named '{}'", name)));
    }
    return unavailable(name);
  }

  /// Returns the module of an absolute import: a built-in one, a file of the model, or a
  /// placeholder.
  NamespacePtr absolute(const std::string& name, syntax::Range range) const {
    const auto path = path_of_module(evaluator.folders_, name);
    // A package that the project has itself comes before the part of it that is built in.
    const bool is_own = path && is_other_package(name) && !module_at(*path)->file.empty();
    auto known = is_own ? nullptr : evaluator.module(name);
    if (known) return known;
    if (!path) return missing(name, range);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) return at(*path, name);
    const NamespacePtr parent = absolute(name.substr(0, dot), range);
    NamespacePtr found = at(*path, name);
    // `a.b` is an attribute of `a`.
    if (parent->available) parent->names->set(last_part(name), found);
    return found;
  }

  /// Returns the module of `from ..name import`: one dot is the folder of the file, each further
  /// dot the folder above.
  NamespacePtr relative(const syntax::Import& import) const {
    const FileValues& file = *evaluator.frames_.back().file;
    fs::path folder = fs::absolute(file.file->source->path()).parent_path();
    for (int up = 1; up < import.level; ++up) folder = folder.parent_path();
    std::string package = file.module;
    const bool is_package = file.file->source->path().filename() == "__init__.py";
    for (int up = is_package ? 1 : 0; up < import.level; ++up) {
      package = package.substr(0, package.find('.') == std::string::npos ? 0 : package.rfind('.'));
    }
    fs::path path = folder;
    for (std::string rest = import.module; !rest.empty();) {
      const std::size_t dot = std::min(rest.find('.'), rest.size());
      path /= rest.substr(0, dot);
      rest.erase(0, dot + 1);
    }
    const bool is_below = !package.empty() && !import.module.empty();
    const std::string name = package + (is_below ? "." : "") + import.module;
    if (auto found = at(path, name)) return found;
    evaluator.fail(statement.range,
                   Mistake::of("ModuleNotFoundError",
                               fmt::format("No module named '{}' beside the model", name)));
  }

  /// Returns the module at a path, which has one Namespace under whatever name it is imported; null
  /// if there is none.
  NamespacePtr at(const fs::path& path, const std::string& name) const {
    const auto found = module_at(path);
    if (!found) return nullptr;
    NamespacePtr names;
    if (found->file.empty()) {
      const fs::path key = fs::weakly_canonical(found->folder);
      names = evaluator.files_.try_emplace(key, make_namespace(name)).first->second;
    } else {
      evaluator.frames_.back().at = statement.range;
      names = evaluator.open(found->file, name);
    }
    if (!found->folder.empty()) evaluator.folders_of_modules_.emplace(names.get(), found->folder);
    return names;
  }
};

std::shared_ptr<Namespace> Evaluator::module(const std::string& name) {
  const bool of_torch = name == "torch" || name.starts_with("torch.");
  // The layers are loaded at the first import of torch by a running file; built-in setup asks for
  // modules without a frame.
  if (of_torch && !layers_loaded_ && !frames_.empty()) {
    layers_loaded_ = true;
    load_layers(*this);
  }
  const bool of_einops = name == "einops" || name.starts_with("einops.");
  if (of_einops && !einops_loaded_ && !frames_.empty()) {
    einops_loaded_ = true;
    load_einops(*this);
  }
  const auto known = modules_.find(name);
  if (known != modules_.end()) return known->second;
  return frames_.empty() ? nullptr : load_library(*this, name);
}

void Evaluator::import(const syntax::Import& import, const syntax::Statement& statement) {
  constexpr std::int64_t kStepsOfImport = 500;
  spend(kStepsOfImport);
  Importer{*this, statement}(import);
}

}  // namespace knead::engine::model
