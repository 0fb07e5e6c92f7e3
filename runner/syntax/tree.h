#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "runner/syntax/expression.h"
#include "schema/document/source.h"

namespace knead::syntax {

// The syntax tree of the part of Python that models use: as the module `ast` of Python 3.11, with
// names spelled out. Nodes own their children and are immutable. Whoever holds a pointer into the
// tree must keep its File alive.

struct Statement;
using Body = std::vector<Statement>;

/// An expression whose value is discarded, such as a call or a docstring.
struct ExpressionStatement {
  Expression value;
};

/// `a = b, c = value`: at least one target.
struct Assign {
  Expressions targets;
  Expression value;
};

/// `target op= value`; the target is a Name, an Attribute or a Subscript.
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

/// `return value`.
struct Return {
  ExpressionPtr value;  // null: not written
};

/// `if`; an `elif` is the only statement of `otherwise`.
struct If {
  Expression condition;
  Body body;
  Body otherwise;
};

/// `for target in iterable: body else: otherwise`.
struct For {
  Expression target;
  Expression iterable;
  Body body;
  Body otherwise;
};

/// `while condition: body else: otherwise`.
struct While {
  Expression condition;
  Body body;
  Body otherwise;
};

/// `with context as target, …: body`.
struct With {
  struct Item {
    Expression context;
    ExpressionPtr target;  // null: no `as`
  };
  std::vector<Item> items;
  Body body;
};

/// `@decorator def name(parameters) -> returns: body`.
struct Function {
  std::string name;
  Range name_range;
  std::vector<Expression> decorators;
  std::vector<Parameter> parameters;
  ExpressionPtr returns;  // null: not written
  Body body;
};

/// `@decorator class name(bases, keywords): body`.
struct Class {
  std::string name;
  Range name_range;
  std::vector<Expression> decorators;
  Expressions bases;
  std::vector<Keyword> keywords;
  Body body;
};

/// `import a.b as c` has the name "a.b" and the alias "c"; without `as` the alias is empty.
struct ImportedName {
  std::string name;
  std::string alias;
  Range range;
};

/// `import x, y`, or with `is_from` `from ..module import names`, which has level 2. `*` is one
/// name.
struct Import {
  bool is_from = false;
  int level = 0;
  std::string module;  // of `from`, may be empty
  std::vector<ImportedName> names;
};

/// A statement of one keyword.
enum class Simple { pass, break_, continue_ };

/// `assert condition, message`.
struct Assert {
  Expression condition;
  ExpressionPtr message;  // null: not written
};

/// `raise value from cause`.
struct Raise {
  ExpressionPtr value;  // null: not written
  ExpressionPtr cause;  // null: not written
};

/// `del targets`.
struct Delete {
  Expressions targets;
};

/// A node of the statement tree with its place in the text.
struct Statement {
  using Kind =
      std::variant<ExpressionStatement, Assign, AugmentedAssign, AnnotatedAssign, Return, If, For,
                   While, With, Function, Class, Import, Simple, Assert, Raise, Delete>;
  Range range;
  Kind kind;
};

/// A parsed source file.
struct File {
  std::shared_ptr<const schema::Source> source;
  Body body;

  schema::Place place(Range range) const { return {source, range.begin, range.end}; }
};

}  // namespace knead::syntax
