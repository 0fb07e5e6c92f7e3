#include "runner/syntax/declarations.h"

#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runner/syntax/bound_names.h"
#include "runner/syntax/refusal.h"
#include "runner/syntax/walk.h"

namespace knead::syntax {
namespace {

[[noreturn]] void refuse(const File& file, Range range, const std::string& message) {
  throw Refusal("model-syntax", file.place(range), message);
}

/// What a scope has done with a name so far.
struct Uses {
  bool is_parameter = false;
  bool is_read = false;
  bool is_annotated = false;
  bool is_assigned = false;
  std::string_view declared = {};  // "global" or "nonlocal"
  Range declared_at = {};          // the first declaration
};

/// Walks over the scopes of a file in the order of the text, and compares each declaration with
/// what its scope did before.
class EarlierUses {
 public:
  explicit EarlierUses(const File& file) : file_(file) {}

  void check() {
    for (const Statement& one : file_.body) (*this)(one);
  }

  void operator()(const Statement& one) {
    std::visit([&](const auto& kind) { look_at(one.range, kind); }, one.kind);
  }

  /// Reads an expression. A lambda is a scope of its own without declarations.
  void operator()(const Expression& one) {
    if (const auto* name = std::get_if<Name>(&one.kind)) scope_[name->id].is_read = true;
    if (const auto* walrus = std::get_if<Walrus>(&one.kind)) assign(walrus->name);
    if (const auto* made = std::get_if<Comprehension>(&one.kind)) {
      // Python evaluates the first iterable in this scope, and `:=` binds its names here.
      (*this)(*made->generators[0].iterable);
      for (const std::string& name : walrus_names(one)) assign(name);
    } else if (const auto* lambda = std::get_if<Lambda>(&one.kind)) {
      for (const Parameter& parameter : lambda->parameters) maybe(parameter.fallback);
    } else {
      for_each_child(one, *this);
    }
  }

 private:
  using Scope = std::map<std::string, Uses, std::less<>>;

  void assign(const std::string& name) { scope_[name].is_assigned = true; }

  /// Looks at a target: its names are assigned, and the values of attributes and items are read.
  void target(const Expression& one) {
    if (const auto* name = std::get_if<Name>(&one.kind)) return assign(name->id);
    if (const auto* star = std::get_if<Starred>(&one.kind)) return target(*star->value);
    const auto* tuple = std::get_if<Tuple>(&one.kind);
    const auto* list = std::get_if<List>(&one.kind);
    if (!tuple && !list) return (*this)(one);
    for (const Expression& item : tuple ? tuple->items : list->items) target(item);
  }

  void maybe(const ExpressionPtr& one) {
    if (one) (*this)(*one);
  }
  void all(const Expressions& expressions) {
    for (const Expression& one : expressions) (*this)(one);
  }
  void all(const Body& body) {
    for (const Statement& one : body) (*this)(one);
  }

  void look_at(Range, const Assign& one) {
    (*this)(one.value);
    for (const Expression& each : one.targets) target(each);
  }
  void look_at(Range, const AugmentedAssign& one) {
    target(one.target);
    (*this)(one.value);
  }
  void look_at(Range range, const AnnotatedAssign& one) {
    const auto* name = std::get_if<Name>(&one.target.kind);
    // An annotation of a name in parentheses, `(x): int`, does not declare the name.
    if (name && one.target.range.begin == range.begin) {
      Uses& uses = scope_[name->id];
      if (!uses.declared.empty() && depth_ > 0) refuse_annotated(range, name->id, uses.declared);
      uses.is_annotated = true;
    } else if (!name || one.value) {
      target(one.target);
    }
    (*this)(one.annotation);
    maybe(one.value);
  }
  void look_at(Range, const For& one) {
    target(one.target);
    (*this)(one.iterable);
    all(one.body);
    all(one.otherwise);
  }
  void look_at(Range, const With& one) {
    for (const With::Item& item : one.items) {
      (*this)(item.context);
      if (item.target) target(*item.target);
    }
    all(one.body);
  }
  void look_at(Range, const Try& one) {
    all(one.body);
    for (const Except& each : one.handlers) {
      maybe(each.type);
      if (!each.name.empty()) assign(each.name);
      all(each.body);
    }
    all(one.otherwise);
    all(one.at_the_end);
  }
  void look_at(Range, const Delete& one) {
    for (const Expression& each : one.targets) target(each);
  }
  void look_at(Range, const Function& one) {
    assign(one.name);
    all(one.decorators);
    maybe(one.returns);
    Scope inside;
    for (const Parameter& parameter : one.parameters) {
      maybe(parameter.fallback);
      maybe(parameter.annotation);
      inside[parameter.name].is_parameter = true;
    }
    enter(std::move(inside), one.body);
  }
  void look_at(Range, const Class& one) {
    assign(one.name);
    all(one.decorators);
    all(one.bases);
    for (const Keyword& keyword : one.keywords) maybe(keyword.value);
    enter({}, one.body);
  }
  void look_at(Range range, const Declaration& one) {
    const std::string_view word = one.is_global ? "global" : "nonlocal";
    for (const std::string& name : one.names) {
      Uses& uses = scope_[name];
      if (uses.is_parameter) {
        refuse(file_, range, fmt::format("name '{}' is parameter and {}", name, word));
      }
      if (uses.is_read) {
        refuse(file_, range, fmt::format("name '{}' is used prior to {} declaration", name, word));
      }
      if (uses.is_annotated) refuse_annotated(range, name, word);
      if (uses.is_assigned) {
        refuse(file_, range,
               fmt::format("name '{}' is assigned to before {} declaration", name, word));
      }
      if (!uses.declared.empty() && uses.declared != word) {
        refuse(file_, uses.declared_at, fmt::format("name '{}' is nonlocal and global", name));
      }
      if (uses.declared.empty()) uses.declared_at = range;
      uses.declared = word;
    }
  }
  template <typename Other>
  void look_at(Range, const Other& other) {
    Children<EarlierUses> (*this)(other);
  }

  void enter(Scope inside, const Body& body) {
    Scope outer = std::exchange(scope_, std::move(inside));
    ++depth_;
    all(body);
    --depth_;
    scope_ = std::move(outer);
  }

  [[noreturn]] void refuse_annotated(Range range, std::string_view name,
                                     std::string_view word) const {
    refuse(file_, range, fmt::format("annotated name '{}' can't be {}", name, word));
  }

  const File& file_;
  Scope scope_;
  int depth_ = 0;  // of functions and classes
};

/// Walks over a file with the scopes around each place, and searches them for the name of each
/// `nonlocal`.
class Nonlocals {
 public:
  explicit Nonlocals(const File& file) : file_(file) {}

  void check() {
    for (const Statement& one : file_.body) (*this)(one);
  }

  void operator()(const Expression&) {}
  void operator()(const Statement& one) {
    if (const auto* declared = std::get_if<Declaration>(&one.kind)) look_at(one.range, *declared);
    const auto* function = std::get_if<Function>(&one.kind);
    const auto* type = std::get_if<Class>(&one.kind);
    if (!function && !type) return for_each_child(one, *this);
    scopes_.push_back(function ? scope_of(*function) : Scope{{"__class__"}, {}});
    for (const Statement& each : function ? function->body : type->body) (*this)(each);
    scopes_.pop_back();
  }

 private:
  /// The names of a scope that the functions in it can declare nonlocal, and those that it hides
  /// from them. Of a class that is only `__class__`.
  struct Scope {
    Names bound;
    Names global;
  };

  static Scope scope_of(const Function& function) {
    Scope scope{bound_names(function.body), global_names(function.body)};
    for (const Parameter& parameter : function.parameters) scope.bound.insert(parameter.name);
    return scope;
  }

  void look_at(Range range, const Declaration& one) const {
    if (one.is_global) return;
    if (scopes_.empty()) refuse(file_, range, "nonlocal declaration not allowed at module level");
    for (const std::string& name : one.names) {
      if (!is_bound(name)) {
        refuse(file_, range, fmt::format("no binding for nonlocal '{}' found", name));
      }
    }
  }

  /// Searches the scopes around that of the declaration, the innermost first.
  bool is_bound(const std::string& name) const {
    for (std::size_t i = scopes_.size() - 1; i-- > 0;) {
      if (scopes_[i].global.contains(name)) return false;
      if (scopes_[i].bound.contains(name)) return true;
    }
    return false;
  }

  const File& file_;
  std::vector<Scope> scopes_;  // the outermost first
};

}  // namespace

void check_declarations(const File& file) {
  EarlierUses(file).check();
  Nonlocals(file).check();
}

}  // namespace knead::syntax
