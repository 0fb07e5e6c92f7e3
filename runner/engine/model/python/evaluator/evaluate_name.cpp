#include <fmt/format.h>

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/words/missing_names.h"
#include "runner/syntax/builtin_names.h"
#include "runner/syntax/names/absent_modules.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {

Value Evaluator::name(const std::string& id) {
  const StackFrame& frame = frames_.back();
  for (Scope* scope = frame.scope.get(); scope != nullptr; scope = scope->outer.get()) {
    if (const Value* value = scope->find(id)) return available(*value);
  }
  if (frame.function != nullptr && assigns(*frame.function, id)) {
    throw Mistake::of("UnboundLocalError",
                      fmt::format("cannot access local variable '{}' where it is not associated "
                                  "with a value",
                                  id));
  }
  if (const Value* value = frame.file->globals->find(id)) return available(*value);
  if (const Value* value = builtins_->find(id)) return *value;

  std::vector<std::string_view> candidates;
  const auto add = [&](const Scope* scope) {
    for (; scope != nullptr; scope = scope->outer.get()) {
      for (const auto& entry : scope->names) candidates.push_back(entry.first);
    }
  };
  add(frame.scope.get());
  add(frame.file->globals.get());
  add(builtins_.get());
  const std::string message = fmt::format("name '{}' is not defined", id);
  const std::string remedy = schema::did_you_mean(id, candidates);
  if (syntax::is_builtin(id)) {
    throw Mistake(fmt::format("'{}' is not available to models", id),
                  id == "open" ? "a model reads no files: give it the values in model.args"
                               : "the language of models leaves this out");
  }
  throw Mistake::of("NameError", message, remedy);
}

// An import of an unknown module is an error only where the module is used.
const Value& Evaluator::available(const Value& value) const {
  const auto* names = as<Namespace>(value);
  if (names == nullptr || (*names)->available) return value;
  const std::string& name = (*names)->name;
  if ((*names)->failure) throw FailedBefore{(*names)->failure};
  std::string remedy = syntax::instead_of(name);
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  if (const auto of = modules_.find(name.substr(0, dot)); of != modules_.end()) {
    std::vector<std::string_view> known;
    for (const auto& entry : of->second->names->names) known.push_back(entry.first);
    if (auto near = schema::did_you_mean(name.substr(dot + 1), known); !near.empty()) remedy = near;
  }
  throw Mistake(fmt::format("'{}' is not available to models", name), remedy);
}

void Evaluator::assign(const std::string& name, const Value& value) {
  StackFrame& frame = frames_.back();
  if (frame.globals.contains(name)) return frame.file->globals->set(name, value);
  // A name that the function declares nonlocal is one that it does not bind itself.
  const bool is_own =
      !frame.function || frame.scope != frame.names || assigns(*frame.function, name);
  if (Scope* outer = is_own ? nullptr : outer_scope_of(name)) return outer->set(name, value);
  frame.scope->set(name, value);
}

Scope* Evaluator::outer_scope_of(const std::string& name) const {
  for (Scope* scope = frames_.back().names->outer.get(); scope; scope = scope->outer.get()) {
    if (scope->find(name)) return scope;
  }
  return nullptr;
}

// Python treats a name as local in the whole function if any statement of it binds the name.
bool Evaluator::assigns(const Function& function, const std::string& name) {
  if (function.definition == nullptr) return false;
  const auto [entry, is_new] = assigned_.try_emplace(function.definition);
  // The names of a function never change, so its text is searched at the first question only.
  if (is_new) entry->second = syntax::bound_names(function.definition->body);
  return entry->second.contains(name);
}

}  // namespace knead::engine::model
