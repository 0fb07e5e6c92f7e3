#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

namespace {

using Names = std::unordered_set<std::string>;

void add_target(const syntax::Expression& target, Names& names) {
  if (const auto* name = std::get_if<syntax::Name>(&target.kind)) {
    names.insert(name->id);
  } else if (const auto* starred = std::get_if<syntax::Starred>(&target.kind)) {
    add_target(*starred->value, names);
  } else if (const auto* tuple = std::get_if<syntax::Tuple>(&target.kind)) {
    for (const auto& item : tuple->items) add_target(item, names);
  } else if (const auto* list = std::get_if<syntax::List>(&target.kind)) {
    for (const auto& item : list->items) add_target(item, names);
  }
}

void add_names(const syntax::Body& body, Names& names);

/// Adds the names that a statement binds in its function; nested functions and classes bind only
/// their own name.
struct Bound {
  Names& names;

  void operator()(const syntax::Assign& assign) const {
    for (const auto& target : assign.targets) add_target(target, names);
  }
  void operator()(const syntax::AugmentedAssign& assign) const { add_target(assign.target, names); }
  void operator()(const syntax::AnnotatedAssign& assign) const { add_target(assign.target, names); }
  void operator()(const syntax::For& loop) const {
    add_target(loop.target, names);
    add_names(loop.body, names);
    add_names(loop.otherwise, names);
  }
  void operator()(const syntax::If& branch) const {
    add_names(branch.body, names);
    add_names(branch.otherwise, names);
  }
  void operator()(const syntax::While& loop) const {
    add_names(loop.body, names);
    add_names(loop.otherwise, names);
  }
  void operator()(const syntax::With& with) const {
    for (const auto& item : with.items) {
      if (item.target) add_target(*item.target, names);
    }
    add_names(with.body, names);
  }
  void operator()(const syntax::Function& function) const { names.insert(function.name); }
  void operator()(const syntax::Class& type) const { names.insert(type.name); }
  template <typename Other>
  void operator()(const Other&) const {}
};

void add_names(const syntax::Body& body, Names& names) {
  for (const syntax::Statement& statement : body) std::visit(Bound{names}, statement.kind);
}

}  // namespace

// Python treats a name as local in the whole function if any statement of it binds the name.
bool Evaluator::assigns(const Function& function, const std::string& name) {
  if (function.definition == nullptr) return false;
  const auto [entry, is_new] = assigned_.try_emplace(function.definition);
  // The names of a function never change, so its text is searched at the first question only.
  if (is_new) add_names(function.definition->body, entry->second);
  return entry->second.contains(name);
}

}  // namespace knead::engine::model
