#include "runner/syntax/names/unknown_names.h"

#include <algorithm>
#include <utility>

#include "runner/syntax/builtin_names.h"
#include "runner/syntax/classes.h"
#include "runner/syntax/walk.h"

namespace knead::syntax {
namespace {

/// Returns whether a statement is an `if` on __name__, as in `if __name__ == "__main__":`.
bool is_main_guard(const Statement& statement) {
  const auto* condition = std::get_if<If>(&statement.kind);
  const auto* compared = condition ? std::get_if<Comparison>(&condition->condition.kind) : nullptr;
  const auto* name = compared ? std::get_if<Name>(&compared->operands[0].kind) : nullptr;
  return name && name->id == "__name__";
}

/// Searches for `from … import *`.
struct FindsStar {
  bool found = false;
  void operator()(const Expression&) {}
  void operator()(const Statement& one) {
    const auto* import = std::get_if<Import>(&one.kind);
    if (import && import->is_from && import->names[0].name == "*") found = true;
    for_each_child(one, *this);
  }
};

/// Walks over a file with a stack of scopes, and records what is read in each function.
class Reader {
 public:
  explicit Reader(const File& file) {
    readings_.push_back({});
    scopes_.push_back({bound_names(file), false});
    for (const Statement& one : file.body) (*this)(one);
  }

  std::vector<Reading> take() { return std::move(readings_); }

  void operator()(const Expression& one) { read(one); }
  void operator()(const Statement& one) {
    if (is_main_guard(one)) return;
    if (const auto* function = std::get_if<Function>(&one.kind)) return enter(*function);
    if (const auto* type = std::get_if<Class>(&one.kind)) return enter(*type);
    // Annotations are skipped: they may use names that only a type checker imports.
    if (const auto* annotated = std::get_if<AnnotatedAssign>(&one.kind)) {
      read(annotated->target);
      if (annotated->value) read(*annotated->value);
      return;
    }
    const bool may_not_run = std::holds_alternative<If>(one.kind) ||
                             std::holds_alternative<For>(one.kind) ||
                             std::holds_alternative<While>(one.kind);
    if (may_not_run) return read_branches(one);
    if (const auto* tried = std::get_if<Try>(&one.kind)) return read(*tried);
    for_each_child(one, *this);
    // The statements behind it do not run, or they run only if a condition around it does not hold.
    // `break` and `continue` need no such rule: no statement of a loop is certain.
    const bool leaves =
        std::holds_alternative<Return>(one.kind) || std::holds_alternative<Raise>(one.kind);
    if (leaves) ++left_;
  }

 private:
  struct Scope {
    Names names;
    bool is_class = false;  // functions inside do not see its names
  };

  /// Visits the statements of a block, without the expressions beside it.
  struct BodyOnly {
    Reader& reader;
    void operator()(const Expression&) {}
    void operator()(const Statement& one) { reader(one); }
  };

  void read_branches(const Statement& one) {
    read_head(one);
    ++conditions_;
    for_each_child(one, BodyOnly{*this});
    --conditions_;
  }

  void read_head(const Statement& one) {
    if (const auto* kind = std::get_if<If>(&one.kind)) read(kind->condition);
    if (const auto* kind = std::get_if<While>(&one.kind)) read(kind->condition);
    if (const auto* kind = std::get_if<For>(&one.kind)) {
      read(kind->iterable);
      read(kind->target);
    }
  }

  /// An exception may end the body at any place, and a handler may expect it: nothing but the
  /// `finally` is certain.
  void read(const Try& tried) {
    ++conditions_;
    for (const Statement& one : tried.body) (*this)(one);
    for (const Except& handler : tried.handlers) {
      if (handler.type) read(*handler.type);
      for (const Statement& one : handler.body) (*this)(one);
    }
    for (const Statement& one : tried.otherwise) (*this)(one);
    --conditions_;
    for (const Statement& one : tried.at_the_end) (*this)(one);
  }

  void enter(const Function& function) {
    for (const Expression& decorator : function.decorators) read(decorator);
    Scope scope{bound_names(function.body), false};
    for (const Parameter& parameter : function.parameters) {
      if (parameter.fallback) read(*parameter.fallback);
      scope.names.insert(parameter.name);
    }
    // Conditions around the definition do not apply to the body: certainty counts from its first
    // line.
    const std::size_t outer = std::exchange(current_, readings_.size());
    const int conditions = std::exchange(conditions_, 0), left = std::exchange(left_, 0);
    readings_.push_back({&function, owner_, {}, {}, {}});
    const Class* const owner = std::exchange(owner_, nullptr);
    scopes_.push_back(std::move(scope));
    for (const Statement& one : function.body) (*this)(one);
    scopes_.pop_back();
    owner_ = owner;
    conditions_ = conditions;
    left_ = left;
    current_ = outer;
  }

  void enter(const Class& type) {
    for (const Expression& decorator : type.decorators) read(decorator);
    for (const Expression& base : type.bases) read(base);
    for (const Keyword& keyword : type.keywords) read(*keyword.value);
    const Class* const owner = std::exchange(owner_, &type);
    scopes_.push_back({bound_names(type.body), true});
    for (const Statement& one : type.body) (*this)(one);
    scopes_.pop_back();
    owner_ = owner;
  }

  void read(const Expression& one) {
    if (const auto* name = std::get_if<Name>(&one.kind)) return look_up(*name, one.range);
    if (const auto* lambda = std::get_if<Lambda>(&one.kind)) return read(*lambda);
    if (const auto* made = std::get_if<Comprehension>(&one.kind)) return read(*made);
    if (const auto* either = std::get_if<Conditional>(&one.kind)) {
      read(*either->condition);
      return read_if(*either->body), read_if(*either->otherwise);
    }
    if (const auto* logical = std::get_if<Logical>(&one.kind)) {
      read(logical->operands[0]);
      for (std::size_t i = 1; i < logical->operands.size(); ++i) read_if(logical->operands[i]);
      return;
    }
    if (const auto* call = std::get_if<Call>(&one.kind))
      readings_[current_].calls.push_back({call, one.range, is_certain()});
    if (const auto* of = std::get_if<Attribute>(&one.kind)) note_attribute(*of, one.range);
    for_each_child(one, *this);
    // Whoever reads a generator may stop at any `yield`.
    if (std::holds_alternative<Yield>(one.kind)) ++left_;
  }

  void read_if(const Expression& one) {
    ++conditions_;
    read(one);
    --conditions_;
  }

  void read(const Lambda& lambda) {
    Scope scope{walrus_names(*lambda.body), false};
    for (const Parameter& parameter : lambda.parameters) {
      if (parameter.fallback) read(*parameter.fallback);
      scope.names.insert(parameter.name);
    }
    scopes_.push_back(std::move(scope));
    // A lambda may never be called.
    read_if(*lambda.body);
    scopes_.pop_back();
  }

  void read(const Comprehension& made) {
    read(*made.generators[0].iterable);
    Scope scope;
    for (const Generator& generator : made.generators)
      scope.names.merge(target_names(*generator.target));
    scopes_.push_back(std::move(scope));
    ++conditions_;
    for (std::size_t i = 0; i < made.generators.size(); ++i) {
      if (i > 0) read(*made.generators[i].iterable);
      for (const Expression& condition : made.generators[i].conditions) read(condition);
    }
    read(*made.element);
    if (made.value) read(*made.value);
    --conditions_;
    scopes_.pop_back();
  }

  bool is_certain() const { return conditions_ == 0 && left_ == 0; }

  /// Returns whether the names of a scope are visible: names of a class are hidden in functions
  /// inside.
  bool is_seen(std::size_t scope) const {
    return !scopes_[scope].is_class || scope + 1 == scopes_.size();
  }

  void look_up(const Name& name, Range range) {
    for (std::size_t i = scopes_.size(); i-- > 0;) {
      if (is_seen(i) && scopes_[i].names.contains(name.id)) return;
    }
    if (is_builtin(name.id)) return;
    UnknownName unknown{name.id, range, is_certain(), {}};
    for (std::size_t i = 0; i < scopes_.size(); ++i) {
      if (is_seen(i)) unknown.known.insert(scopes_[i].names.begin(), scopes_[i].names.end());
    }
    readings_[current_].unknown.push_back(std::move(unknown));
  }

  void note_attribute(const Attribute& attribute, Range range) {
    if (!std::holds_alternative<Name>(attribute.value->kind)) return;
    readings_[current_].attributes.push_back({&attribute, range, is_certain()});
  }

  std::vector<Reading> readings_;
  std::vector<Scope> scopes_;
  const Class* owner_ = nullptr;
  std::size_t current_ = 0;
  int conditions_ = 0;  // enclosing conditions, loops and `try`
  int left_ = 0;        // earlier places of the function that return, raise or yield
};

}  // namespace

std::vector<Reading> readings_of(const File& file) {
  FindsStar star;
  for (const Statement& one : file.body) star(one);
  if (star.found) return {};
  return Reader(file).take();
}

}  // namespace knead::syntax
