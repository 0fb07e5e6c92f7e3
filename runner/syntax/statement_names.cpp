#include "runner/syntax/statement_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "runner/syntax/classes.h"
#include "runner/syntax/walk.h"

namespace knead::syntax {
namespace {

/// Returns the name at the root of `a.b[c].d(…)`; null for any other expression.
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

/// Walks over one top-level statement and sorts its names.
class NameSorter {
 public:
  /// `modules`: names that `import x` binds in the file, which no statement can change.
  explicit NameSorter(const Names& modules) : modules_(modules) {}

  StatementNames take() { return std::move(found_); }

  void operator()(const Expression& one) {
    if (const auto* name = std::get_if<Name>(&one.kind)) return read(name->id);
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
  bool is_local(const std::string& name) const {
    return std::any_of(scopes_.begin(), scopes_.end(),
                       [&](const Names& scope) { return scope.contains(name); });
  }

  void read(const std::string& name) {
    if (!is_local(name)) (functions_ > 0 ? found_.later : found_.reads).insert(name);
  }

  void change(const Expression& expression) {
    const std::string* name = root_name(expression);
    if (name && !is_local(*name) && !modules_.contains(*name)) found_.changes.insert(*name);
  }

  void remove(const Expression& target) {
    if (std::holds_alternative<Name>(target.kind)) return change(target);
    if (const auto* tuple = std::get_if<Tuple>(&target.kind)) {
      for (const Expression& item : tuple->items) remove(item);
    } else if (const auto* list = std::get_if<List>(&target.kind)) {
      for (const Expression& item : list->items) remove(item);
    } else {
      change(target);
    }
  }

  void change_target(const Expression& target) {
    if (const auto* tuple = std::get_if<Tuple>(&target.kind)) {
      for (const Expression& item : tuple->items) change_target(item);
    } else if (const auto* list = std::get_if<List>(&target.kind)) {
      for (const Expression& item : list->items) change_target(item);
    } else if (!std::holds_alternative<Name>(target.kind) || functions_ > 0) {
      change(target);  // in a function, a name that is not local is declared global
    }
  }

  void change_by_call(const Call& call) {
    if (sets_default(call) && functions_ == 0) found_.always = true;
    const auto* callee = std::get_if<Name>(&call.callee->kind);
    if (callee && callee->id == "print") return;
    change(*call.callee);
    for (const Expression& argument : call.arguments) change(argument);
    for (const Keyword& keyword : call.keywords) change(*keyword.value);
  }

  void note_changes(const Statement& one) {
    if (const auto* assign = std::get_if<Assign>(&one.kind)) {
      for (const Expression& target : assign->targets) change_target(target);
    } else if (const auto* augmented = std::get_if<AugmentedAssign>(&one.kind)) {
      change_target(augmented->target);
    } else if (const auto* annotated = std::get_if<AnnotatedAssign>(&one.kind)) {
      change_target(annotated->target);
    } else if (const auto* deleted = std::get_if<Delete>(&one.kind)) {
      for (const Expression& target : deleted->targets) remove(target);
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
    for (const Statement& one : type.body) (*this)(one);
  }

  const Names& modules_;
  StatementNames found_;
  std::vector<Names> scopes_;
  int functions_ = 0;  // enclosing functions
};

Names imported_modules(const File& file) {
  Names names;
  for (const Statement& one : file.body) {
    const auto* import = std::get_if<Import>(&one.kind);
    if (import && !import->is_from) names.merge(bound_names(one));
  }
  return names;
}

/// Adds to each statement that reads a function or a class what the body of that one changes, also
/// through functions that it calls.
class Effects {
 public:
  explicit Effects(const std::vector<StatementNames>& statements) {
    for (const StatementNames& one : statements) {
      for (const std::string& name : one.binds) defined_.emplace(name, &one);
    }
  }

  void add_to(StatementNames& statement) {
    Names seen;
    for (const std::string& name : Names(statement.reads)) collect(name, statement.changes, seen);
  }

 private:
  void collect(const std::string& name, Names& changes, Names& seen) {
    if (!seen.insert(name).second) return;
    const auto [first, last] = defined_.equal_range(name);
    for (auto one = first; one != last; ++one) {
      const StatementNames& made = *one->second;
      if (made.later.empty()) continue;  // it defines no function
      changes.insert(made.changes.begin(), made.changes.end());
      for (const std::string& read : made.later) collect(read, changes, seen);
    }
  }

  std::multimap<std::string, const StatementNames*> defined_;
};

}  // namespace

std::vector<StatementNames> statement_names(const File& file) {
  const Names modules = imported_modules(file);
  std::vector<StatementNames> statements;
  for (const Statement& one : file.body) {
    if (compares_own_name(one)) {
      statements.emplace_back();
      continue;
    }
    NameSorter sorter(modules);
    sorter(one);
    StatementNames names = sorter.take();
    names.binds = bound_names(one);
    statements.push_back(std::move(names));
  }
  Effects effects(statements);
  std::vector<StatementNames> complete = statements;
  for (StatementNames& one : complete) effects.add_to(one);
  return complete;
}

}  // namespace knead::syntax
