#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "runner/syntax/expression.h"
#include "schema/document/source.h"

namespace knead::syntax {

// The syntax tree of Python, as far as models are written in it: what `ast` of Python 3.11 gives,
// under names that are not abbreviated. Nodes own their children and are never changed once they
// are made; whoever evaluates or compiles them keeps the File alive.

struct Statement;
using Body = std::vector<Statement>;

struct ExpressionStatement {
  Expression value;
};

/// `a = b, c = value`: one target or more.
struct Assign {
  Expressions targets;
  Expression value;
};

struct AugmentedAssign {
  Expression target;
  BinaryOperator op;
  Expression value;
};

/// `target: annotation = value`.
struct AnnotatedAssign {
  Expression target;
  Expression annotation;
  ExpressionPtr value;  // null: not written
};

struct Return {
  ExpressionPtr value;  // null: not written
};

/// `elif` is an If alone in `otherwise`.
struct If {
  Expression condition;
  Body body;
  Body otherwise;
};

struct For {
  Expression target;
  Expression iterable;
  Body body;
  Body otherwise;
};

struct While {
  Expression condition;
  Body body;
  Body otherwise;
};

struct With {
  struct Item {
    Expression context;
    ExpressionPtr target;  // null: no `as`
  };
  std::vector<Item> items;
  Body body;
};

struct Function {
  std::string name;
  Range name_range;
  std::vector<Expression> decorators;
  std::vector<Parameter> parameters;
  ExpressionPtr returns;  // null: not written
  Body body;
};

struct Class {
  std::string name;
  Range name_range;
  std::vector<Expression> decorators;
  Expressions bases;
  std::vector<Keyword> keywords;
  Body body;
};

/// `import a.b as c`: name "a.b", alias "c" (empty: none).
struct ImportedName {
  std::string name;
  std::string alias;
  Range range;
};

/// `import x, y`; `from ..module import names` (level 2; `*` is a name of its own). `is_from` tells
/// which.
struct Import {
  bool is_from = false;
  int level = 0;
  std::string module;  // of `from`
  std::vector<ImportedName> names;
};

enum class Simple { pass, break_, continue_ };

struct Assert {
  Expression condition;
  ExpressionPtr message;  // null: not written
};

struct Raise {
  ExpressionPtr value;  // null: not written
  ExpressionPtr cause;
};

struct Delete {
  Expressions targets;
};

struct Statement {
  using Kind =
      std::variant<ExpressionStatement, Assign, AugmentedAssign, AnnotatedAssign, Return, If, For,
                   While, With, Function, Class, Import, Simple, Assert, Raise, Delete>;
  Range range;
  Kind kind;
};

/// One source file.
struct File {
  std::shared_ptr<const schema::Source> source;
  Body body;

  schema::Place place(Range range) const { return {source, range.begin, range.end}; }
};

}  // namespace knead::syntax
