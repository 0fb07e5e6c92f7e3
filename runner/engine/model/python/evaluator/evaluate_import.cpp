#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "runner/engine/model/explain/read_source.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/layers.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/syntax/parse.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {

namespace {

/// Returns the placeholder of a module, or of a name of a module, that does not exist. Only its use
/// is an error.
std::shared_ptr<Namespace> unavailable(const std::string& name) {
  auto names = make_namespace(name);
  names->available = false;
  return names;
}

}  // namespace

std::shared_ptr<Namespace> Evaluator::module(const std::string& name) {
  const bool of_torch = name == "torch" || name.starts_with("torch.");
  // The layers are loaded at the first import of torch by a running file; built-in setup asks for
  // modules without a frame.
  if (of_torch && !layers_loaded_ && !frames_.empty()) {
    layers_loaded_ = true;
    load_layers(*this);
  }
  const auto known = modules_.find(name);
  return known == modules_.end() ? nullptr : known->second;
}

// `blocks` is blocks.py or blocks/__init__.py; `parts.blocks` is parts/blocks.py after the import
// of `parts`. A folder without __init__.py only contains other modules.
std::shared_ptr<Namespace> Evaluator::sibling(const std::string& name, syntax::Range range) {
  const std::size_t dot = name.rfind('.');
  std::shared_ptr<Namespace> parent;
  if (dot != std::string::npos) {
    parent = imported(name.substr(0, dot), 0, range);
    if (!parent->available) return nullptr;
    if (const auto made = modules_.find(name); made != modules_.end()) return made->second;
  }
  std::string path = name;
  std::replace(path.begin(), path.end(), '.', '/');
  const std::filesystem::path folder = folder_ / path;
  std::error_code error;
  std::filesystem::path file = folder.string() + ".py";
  if (!std::filesystem::is_regular_file(file, error)) file = folder / "__init__.py";
  const bool is_file = std::filesystem::is_regular_file(file, error);
  if (!is_file && !std::filesystem::is_directory(folder, error)) return nullptr;

  const auto names = make_namespace(name);
  // The module is registered before its file runs, so that files may import each other.
  add_module(name, names);
  if (is_file) {
    frames_.back().at = range;
    run(syntax::parse(read_source(file)), name, names->names);
  }
  if (parent != nullptr) parent->names->set(name.substr(dot + 1), names);
  return names;
}

// One dot is the folder of the file, and each further dot is the folder above.
std::string Evaluator::from_here(const std::string& name, int level, syntax::Range range) const {
  const FileValues& file = *frames_.back().file;
  std::string package = file.module;
  const bool is_folder = file.file->source->path().filename() == "__init__.py";
  for (int up = is_folder ? 1 : 0; up < level; ++up) {
    if (package.empty()) {
      fail(range, "attempted relative import beyond the folder of the model",
           "a model is made of its file and of files beside it");
    }
    const std::size_t dot = package.rfind('.');
    package = dot == std::string::npos ? "" : package.substr(0, dot);
  }
  return package.empty() || name.empty() ? package + name : package + "." + name;
}

std::shared_ptr<Namespace> Evaluator::imported(const std::string& name, int level,
                                               syntax::Range range) {
  const std::string full = level == 0 ? name : from_here(name, level, range);
  if (auto known = module(full)) return known;
  if (auto beside = sibling(full, range)) return beside;
  if (level > 0) fail(range, fmt::format("No module named '{}' beside the model", full));
  return unavailable(full);
}

void Evaluator::import(const syntax::Import& import, const syntax::Statement& statement) {
  if (import.is_from && import.module == "__future__") return;
  for (const syntax::ImportedName& name : import.names) {
    if (import.is_from) {
      import_name(import, name, statement);
      continue;
    }
    const auto names = imported(name.name, 0, name.range);
    const std::size_t dot = name.name.find('.');
    if (!name.alias.empty() || dot == std::string::npos) {
      bind_import(name.alias.empty() ? name.name : name.alias, names);
      continue;
    }
    // `import torch.nn` binds torch, which holds nn.
    const std::string root = name.name.substr(0, dot);
    const auto top = module(root);
    bind_import(root, top != nullptr ? top : unavailable(root));
  }
}

void Evaluator::bind_import(const std::string& name, Value value) {
  frames_.back().scope->set(name, std::move(value));
}

void Evaluator::import_name(const syntax::Import& import, const syntax::ImportedName& name,
                            const syntax::Statement& statement) {
  const std::string bound = name.alias.empty() ? name.name : name.alias;
  const std::string here =
      import.level > 0 ? from_here(import.module, import.level, statement.range) : import.module;
  if (here.empty()) return bind_import(bound, imported(name.name, 1, name.range));
  const auto from = imported(here, 0, statement.range);
  if (name.name == "*") {
    if (!from->available) fail(name.range, fmt::format("No module named '{}'", here));
    // A copy is read, because the file may import itself.
    for (const auto& [id, value] : NamedValues(from->names->names)) {
      if (!id.starts_with('_')) bind_import(id, value);
    }
    return;
  }
  const std::string full = here + "." + name.name;
  if (!from->available) return bind_import(bound, unavailable(full));
  if (std::optional<Value> value = find_attribute(from, name.name)) {
    return bind_import(bound, std::move(*value));
  }
  if (auto below = module(full)) return bind_import(bound, below);
  if (is_ours(*from)) return bind_import(bound, unavailable(full));
  if (auto below = sibling(full, name.range)) return bind_import(bound, below);
  std::vector<std::string_view> known;
  for (const auto& entry : from->names->names) known.push_back(entry.first);
  fail(name.range, fmt::format("cannot import name '{}' from '{}'", name.name, here),
       schema::did_you_mean(name.name, known));
}

// Returns whether a module is built in and not a file of the model.
bool Evaluator::is_ours(const Namespace& names) const {
  for (const auto& file : program_.files) {
    if (file->globals == names.names) return is_layer(*file);
  }
  return true;
}

}  // namespace knead::engine::model
