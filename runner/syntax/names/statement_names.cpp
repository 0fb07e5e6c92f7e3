#include "runner/syntax/names/statement_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "runner/syntax/classes.h"
#include "runner/syntax/walk.h"

namespace knead::syntax {
namespace {

/// Returns the name at the root of `a.b[c].d(…)`, or null.
const std::string* root_name(const Expression& expression) {
  if (const auto* name = std::get_if<Name>(&expression.kind)) return &name->id;
  if (const auto* of = std::get_if<Attribute>(&expression.kind)) return root_name(*of->value);
  if (const auto* of = std::get_if<Subscript>(&expression.kind)) return root_name(*of->value);
  if (const auto* of = std::get_if<Starred>(&expression.kind)) return root_name(*of->value);
  if (const auto* call = std::get_if<Call>(&expression.kind)) return root_name(*call->callee);
  return nullptr;
}

/// Returns whether a call sets a default that the layers of torch take up.
bool sets_default(const Call& call) {
  const std::string name = dotted_name(*call.callee);
  return name == "torch.set_default_dtype" || name == "torch.set_default_device" ||
         name == "torch.set_default_tensor_type";
}

bool compares_own_name(const Statement& statement) {
  const auto* branch = std::get_if<If>(&statement.kind);
  const auto* compared = branch ? std::get_if<Comparison>(&branch->condition.kind) : nullptr;
  const auto* name = compared ? std::get_if<Name>(&compared->operands[0].kind) : nullptr;
  return name && name->id == "__name__" && branch->otherwise.empty();
}

/// What a top-level statement does with names, and what its classes and calls may do.
struct Sorted {
  StatementNames names;
  std::map<std::string, Names> methods;  // what methods of its classes change, by their names
  Names called;                          // the methods that it calls while it runs
};

/// Walks over one top-level statement and sorts its names.
class NameSorter {
 public:
  /// `modules`: names that `import x` binds in the file, which no statement can change.
  explicit NameSorter(const Names& modules) : modules_(modules) {}

  Sorted take() { return std::move(sorted_); }
  void enter(const Function& function) {
    decorate(function.decorators);
    Names scope = bound_names(function.body);
    for (const Parameter& parameter : function.parameters) {
      if (parameter.fallback) (*this)(*parameter.fallback);
      scope.insert(parameter.name);
    }
    enter(std::move(scope), [&] {
      for (const Statement& one : function.body) (*this)(one);
    });
  }

  void operator()(const Expression& one) {
    if (const auto* name = std::get_if<Name>(&one.kind)) return read(name->id);
    if (const auto* call = std::get_if<Call>(&one.kind); call && functions_ == 0)
      note_method(*call);
    if (const auto* lambda = std::get_if<Lambda>(&one.kind)) return enter(*lambda);
    if (const auto* made = std::get_if<Comprehension>(&one.kind)) return enter(*made);
    for_each_child(one, *this);
  }

  void operator()(const Statement& one) {
    if (const auto* function = std::get_if<Function>(&one.kind)) return enter(*function);
    if (const auto* type = std::get_if<Class>(&one.kind)) return enter(*type);
    note_changes(one);
    // Annotations are not evaluated here.
    if (const auto* annotated = std::get_if<AnnotatedAssign>(&one.kind)) {
      (*this)(annotated->target);
      if (annotated->value) (*this)(*annotated->value);
      return;
    }
    for_each_child(one, *this);
  }

 private:
  void note_method(const Call& call) {
    const auto* method = std::get_if<Attribute>(&call.callee->kind);
    if (method) sorted_.called.insert(method->name);
  }
  bool is_local(const std::string& name) const {
    return std::any_of(scopes_.begin(), scopes_.end(),
                       [&](const Names& scope) { return scope.contains(name); });
  }

  void read(const std::string& name) {
    if (!is_local(name)) (functions_ > 0 ? sorted_.names.later : sorted_.names.reads).insert(name);
  }

  void change(const Expression& expression) {
    const std::string* name = root_name(expression);
    if (!name || is_local(*name) || modules_.contains(*name)) return;
    (method_.empty() ? sorted_.names.changes : sorted_.methods[method_]).insert(*name);
  }

  /// `removes`: `del`, which changes also a name that it stands alone with.
  void change_target(const Expression& target, bool removes = false) {
    if (const auto* tuple = std::get_if<Tuple>(&target.kind)) {
      for (const Expression& item : tuple->items) change_target(item, removes);
    } else if (const auto* list = std::get_if<List>(&target.kind)) {
      for (const Expression& item : list->items) change_target(item, removes);
    } else if (!std::holds_alternative<Name>(target.kind) || functions_ > 0 || removes) {
      change(target);  // in a function, a name that is not local is declared global
    }
  }

  /// Notes `nn.Masked = Masked`, which adds a name of the file to a module.
  void add_to_module(const Expression& target, const Expression& value) {
    const auto* to = std::get_if<Attribute>(&target.kind);
    const auto* of = to ? std::get_if<Name>(&to->value->kind) : nullptr;
    if (!of || !std::holds_alternative<Name>(value.kind)) return;
    if (modules_.contains(of->id)) sorted_.names.changes.insert(of->id);
  }

  void change_by_call(const Call& call) {
    if (sets_default(call) && functions_ == 0) sorted_.names.always = true;
    const auto* callee = std::get_if<Name>(&call.callee->kind);
    if (callee && callee->id == "print") return;
    change(*call.callee);
    for (const Expression& argument : call.arguments) change(argument);
    for (const Keyword& keyword : call.keywords) change(*keyword.value);
  }

  void note_changes(const Statement& one) {
    if (const auto* assign = std::get_if<Assign>(&one.kind)) {
      for (const Expression& target : assign->targets) change_target(target);
      if (functions_ == 0) add_to_module(assign->targets[0], assign->value);
    } else if (const auto* augmented = std::get_if<AugmentedAssign>(&one.kind)) {
      change_target(augmented->target);
    } else if (const auto* annotated = std::get_if<AnnotatedAssign>(&one.kind)) {
      change_target(annotated->target);
    } else if (const auto* deleted = std::get_if<Delete>(&one.kind)) {
      for (const Expression& target : deleted->targets) change_target(target, true);
    } else if (const auto* statement = std::get_if<ExpressionStatement>(&one.kind)) {
      if (const auto* call = std::get_if<Call>(&statement->value.kind)) change_by_call(*call);
    }
  }

  void decorate(const std::vector<Expression>& decorators) {
    for (const Expression& decorator : decorators) {
      (*this)(decorator);
      change(decorator);  // it may register what it gets
    }
  }

  void enter(const Lambda& lambda) {
    Names scope = walrus_names(*lambda.body);
    for (const Parameter& parameter : lambda.parameters) {
      if (parameter.fallback) (*this)(*parameter.fallback);
      scope.insert(parameter.name);
    }
    scopes_.push_back(std::move(scope));
    // A lambda may be called at once, as the key of sorted().
    (*this)(*lambda.body);
    scopes_.pop_back();
  }

  void enter(const Comprehension& made) {
    Names scope;
    for (const Generator& generator : made.generators) scope.merge(target_names(*generator.target));
    (*this)(*made.generators[0].iterable);
    scopes_.push_back(std::move(scope));
    for (const Generator& generator : made.generators) {
      if (&generator != &made.generators[0]) (*this)(*generator.iterable);
      for (const Expression& condition : generator.conditions) (*this)(condition);
    }
    (*this)(*made.element);
    if (made.value) (*this)(*made.value);
    scopes_.pop_back();
  }

  template <typename Body>
  void enter(Names scope, const Body& body) {
    ++functions_;
    scopes_.push_back(std::move(scope));
    body();
    scopes_.pop_back();
    --functions_;
  }

  /// The names of a class do not hide those of the file: its functions do not see them, and its
  /// statements may read a name of the file before they bind it.
  void enter(const Class& type) {
    decorate(type.decorators);
    for (const Expression& base : type.bases) (*this)(base);
    for (const Keyword& keyword : type.keywords) (*this)(*keyword.value);
    for (const Statement& one : type.body) {
      const auto* method = std::get_if<Function>(&one.kind);
      if (method && functions_ == 0) method_ = method->name;
      (*this)(one);
      if (functions_ == 0) method_.clear();
    }
  }

  const Names& modules_;
  Sorted sorted_;
  std::vector<Names> scopes_;  // of the enclosing functions
  int functions_ = 0;          // enclosing functions
  std::string method_;         // the enclosing method of a class of the file
};

Names imported_modules(const File& file) {
  Names names;
  for (const Statement& one : file.body) {
    const auto* import = std::get_if<Import>(&one.kind);
    if (import && !import->is_from) names.merge(bound_names(one));
  }
  return names;
}

/// Adds to each statement what it changes by its calls: of the functions that it reads, also
/// through functions that they call; of the constructors of the classes that it reads; and of the
/// methods that it calls, by their names alone.
class Effects {
 public:
  explicit Effects(const std::vector<Sorted>& statements) : statements_(statements) {
    for (const Sorted& one : statements) {
      for (const std::string& name : one.names.binds) defined_.emplace(name, &one);
    }
  }

  StatementNames of(const Sorted& statement) {
    StatementNames names = statement.names;
    Names seen;
    for (const std::string& name : statement.names.reads) collect(name, names.changes, seen);
    for (const Sorted& one : statements_) {
      for (const auto& [method, changes] : one.methods) {
        if (statement.called.contains(method)) names.changes.insert(changes.begin(), changes.end());
      }
    }
    std::erase_if(names.changes, [&](const std::string& name) { return !defined_.contains(name); });
    return names;
  }

 private:
  void collect(const std::string& name, Names& changes, Names& seen) {
    if (!seen.insert(name).second) return;
    const auto [first, last] = defined_.equal_range(name);
    for (auto one = first; one != last; ++one) {
      const Sorted& made = *one->second;
      if (made.names.later.empty()) continue;  // it defines no function
      changes.insert(made.names.changes.begin(), made.names.changes.end());
      for (const auto& [method, changed] : made.methods) {
        if (method.starts_with("__")) changes.insert(changed.begin(), changed.end());
      }
      for (const std::string& read : made.names.later) collect(read, changes, seen);
    }
  }

  const std::vector<Sorted>& statements_;
  std::multimap<std::string, const Sorted*> defined_;
};

}  // namespace

Names free_names(const Expression& expression) {
  const Names modules;
  NameSorter sorter(modules);
  sorter(expression);
  return sorter.take().names.reads;
}

Names free_names(const Function& function) {
  const Names modules;
  NameSorter sorter(modules);
  sorter.enter(function);
  StatementNames names = sorter.take().names;
  names.reads.merge(names.later);
  return std::move(names.reads);
}

std::vector<StatementNames> statement_names(const File& file) {
  const Names modules = imported_modules(file);
  std::vector<Sorted> sorted;
  for (const Statement& one : file.body) {
    Sorted& statement = sorted.emplace_back();
    if (compares_own_name(one)) continue;
    NameSorter sorter(modules);
    sorter(one);
    statement = sorter.take();
    statement.names.binds = bound_names(one);
  }
  Effects effects(sorted);
  std::vector<StatementNames> statements;
  for (const Sorted& one : sorted) statements.push_back(effects.of(one));
  return statements;
}

}  // namespace knead::syntax
