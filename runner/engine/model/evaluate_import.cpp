#include <filesystem>

#include <fmt/format.h>

#include "runner/engine/model/builtins.h"
#include "runner/engine/model/evaluator.h"
#include "runner/engine/model/layers.h"
#include "runner/files/read.h"
#include "runner/syntax/parse.h"

namespace knead::engine::model {

namespace {

/// What stands for a module, or a name of one, that is not there: an error only where it is used.
std::shared_ptr<Namespace> unavailable(const std::string& name) {
  auto names = make_namespace(name);
  names->available = false;
  return names;
}

}  // namespace

std::shared_ptr<Namespace> Evaluator::module(const std::string& name) {
  const bool of_torch = name == "torch" || name.starts_with("torch.");
  if (of_torch && !layers_loaded_ && !frames_.empty()) {
    layers_loaded_ = true;
    load_layers(*this);
  }
  const auto known = modules_.find(name);
  return known == modules_.end() ? nullptr : known->second;
}

/// A file beside the model: `blocks` is blocks.py, `parts.blocks` is parts/blocks.py.
std::shared_ptr<Namespace> Evaluator::sibling(const std::string& name, syntax::Range range) {
  std::filesystem::path path = folder_;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    path /= name.substr(begin, end - begin);
    begin = end + 1;
  }
  std::error_code error;
  std::filesystem::path file = path.string() + ".py";
  if (!std::filesystem::is_regular_file(file, error)) file = path / "__init__.py";
  if (!std::filesystem::is_regular_file(file, error)) return nullptr;

  const auto names = make_namespace(name);
  add_module(name, names);
  frames_.back().at = range;
  run(syntax::parse(std::make_shared<schema::Source>(file.string(), std::filesystem::absolute(file),
                                                     files::read_text(file))),
      name, names->names);
  return names;
}

std::shared_ptr<Namespace> Evaluator::imported(const std::string& name, int level,
                                               syntax::Range range) {
  if (level > 1) {
    fail(range, "attempted relative import beyond the folder of the model",
         "A model is made of its file and of files beside it.");
  }
  if (level == 0) {
    if (auto known = module(name)) return known;
  } else if (const auto known = modules_.find(name); known != modules_.end()) {
    return known->second;
  }
  if (auto beside = sibling(name, range)) return beside;
  if (level > 0) fail(range, fmt::format("No module named '{}' beside the model", name));
  return unavailable(name);
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
    // `import torch.nn` binds torch; `import parts.blocks` a module `parts` that holds it.
    const std::string root = name.name.substr(0, dot);
    auto top = module(root);
    if (top == nullptr) {
      top = names->available ? make_namespace(root) : unavailable(root);
      if (names->available) top->names->set(name.name.substr(dot + 1), names);
    }
    bind_import(root, top);
  }
}

void Evaluator::bind_import(const std::string& name, Value value) {
  frames_.back().scope->set(name, std::move(value));
}

void Evaluator::import_name(const syntax::Import& import, const syntax::ImportedName& name,
                            const syntax::Statement& statement) {
  const std::string bound = name.alias.empty() ? name.name : name.alias;
  if (import.module.empty()) {
    return bind_import(bound, imported(name.name, import.level, name.range));
  }
  const auto from = imported(import.module, import.level, statement.range);
  if (name.name == "*") {
    if (!from->available) fail(name.range, fmt::format("No module named '{}'", import.module));
    for (const auto& [id, value] : NamedValues(from->names->names)) {
      if (!id.starts_with('_')) bind_import(id, value);
    }
    return;
  }
  const std::string full = import.module + "." + name.name;
  if (!from->available) return bind_import(bound, unavailable(full));
  if (std::optional<Value> value = find_attribute(from, name.name)) {
    return bind_import(bound, std::move(*value));
  }
  if (auto below = module(full)) return bind_import(bound, below);
  if (is_ours(*from)) return bind_import(bound, unavailable(full));
  if (auto below = sibling(full, name.range)) return bind_import(bound, below);
  std::vector<std::string_view> known;
  for (const auto& entry : from->names->names) known.push_back(entry.first);
  fail(name.range, fmt::format("cannot import name '{}' from '{}'", name.name, import.module),
       did_you_mean(name.name, known));
}

/// A module that models are given, not one of their files.
bool Evaluator::is_ours(const Namespace& names) const {
  for (const auto& file : program_.files) {
    if (file->globals == names.names) return is_layer(*file);
  }
  return true;
}

}  // namespace knead::engine::model
