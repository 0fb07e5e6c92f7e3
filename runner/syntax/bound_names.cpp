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
  Names globals = {};    // declared, whether bound or not
  Names nonlocals = {};  // declared

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
  void bind(const Try& one) {
    for (const Except& each : one.handlers) {
      if (!each.name.empty()) names.insert(each.name);
    }
  }
  void bind(const Declaration& one) {
    (one.is_global ? globals : nonlocals).insert(one.names.begin(), one.names.end());
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

Bindings bindings_of(const Body& body) {
  Bindings bindings;
  for (const Statement& one : body) bindings(one);
  return bindings;
}

/// Adds the names that a body and the scopes in it bind in the file by `global`.
struct GlobalBindings {
  Names& names;

  void add(const Body& body) {
    const Bindings bindings = bindings_of(body);
    for (const std::string& name : bindings.globals) {
      if (bindings.names.contains(name)) names.insert(name);
    }
    for (const Statement& one : body) (*this)(one);
  }

  void operator()(const Expression&) {}
  void operator()(const Statement& one) {
    if (const auto* function = std::get_if<Function>(&one.kind)) return add(function->body);
    if (const auto* type = std::get_if<Class>(&one.kind)) return add(type->body);
    for_each_child(one, *this);
  }
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
  Bindings bindings = bindings_of(body);
  for (const std::string& name : bindings.globals) bindings.names.erase(name);
  for (const std::string& name : bindings.nonlocals) bindings.names.erase(name);
  return std::move(bindings.names);
}

Names bound_names(const Statement& statement) {
  Bindings bindings;
  bindings(statement);
  return std::move(bindings.names);
}

Names bound_names(const File& file) {
  Names names = bound_names(file.body);
  GlobalBindings{names}.add(file.body);
  return names;
}

Names global_names(const Body& body) { return bindings_of(body).globals; }

}  // namespace knead::syntax
