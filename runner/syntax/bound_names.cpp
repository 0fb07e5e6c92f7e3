#include "runner/syntax/bound_names.h"

#include "runner/syntax/walk.h"

namespace knead::syntax {
namespace {

void add_target(const Expression& target, Names& names) {
  if (const auto* name = std::get_if<Name>(&target.kind)) names.insert(name->id);
  if (const auto* star = std::get_if<Starred>(&target.kind)) add_target(*star->value, names);
  if (const auto* tuple = std::get_if<Tuple>(&target.kind)) {
    for (const Expression& item : tuple->items) add_target(item, names);
  }
  if (const auto* list = std::get_if<List>(&target.kind)) {
    for (const Expression& item : list->items) add_target(item, names);
  }
}

/// Adds the names that `:=` binds, also within comprehensions, where it binds in the enclosing
/// scope. The body of a lambda has a scope of its own; the defaults of its parameters do not.
struct Walruses {
  Names& names;

  void operator()(const Expression& one) {
    if (const auto* walrus = std::get_if<Walrus>(&one.kind)) names.insert(walrus->name);
    const auto* lambda = std::get_if<Lambda>(&one.kind);
    if (!lambda) return for_each_child(one, *this);
    for (const Parameter& parameter : lambda->parameters) {
      if (parameter.fallback) (*this)(*parameter.fallback);
    }
  }
  void operator()(const Statement&) {}
};

/// Adds the names that statements bind. Blocks belong to the same scope; functions and classes have
/// scopes of their own.
struct Bindings {
  Names names;

  void operator()(const Expression& one) { Walruses{names}(one); }
  void operator()(const Statement& one) {
    std::visit([&](const auto& kind) { bind(kind); }, one.kind);
    const bool is_scope =
        std::holds_alternative<Function>(one.kind) || std::holds_alternative<Class>(one.kind);
    if (!is_scope) for_each_child(one, *this);
  }

 private:
  void bind(const Assign& one) {
    for (const Expression& target : one.targets) add_target(target, names);
  }
  void bind(const AugmentedAssign& one) { add_target(one.target, names); }
  void bind(const AnnotatedAssign& one) { add_target(one.target, names); }
  void bind(const For& one) { add_target(one.target, names); }
  void bind(const With& one) {
    for (const With::Item& item : one.items) {
      if (item.target) add_target(*item.target, names);
    }
  }
  void bind(const Function& one) { names.insert(one.name); }
  void bind(const Class& one) { names.insert(one.name); }
  void bind(const Import& one) {
    for (const ImportedName& each : one.names) {
      names.insert(!each.alias.empty() || one.is_from
                       ? (each.alias.empty() ? each.name : each.alias)
                       : each.name.substr(0, each.name.find('.')));
    }
  }
  template <typename Other>
  void bind(const Other&) {}
};

}  // namespace

Names target_names(const Expression& target) {
  Names names;
  add_target(target, names);
  return names;
}

Names walrus_names(const Expression& expression) {
  Names names;
  Walruses{names}(expression);
  return names;
}

Names bound_names(const Body& body) {
  Bindings bindings;
  for (const Statement& one : body) bindings(one);
  return std::move(bindings.names);
}

}  // namespace knead::syntax
