#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "runner/syntax/expression.h"
#include "schema/document/source.h"

namespace knead::syntax {

// The syntax tree of Python without `match`: as the module `ast` of Python 3.11, with names
// spelled out. Nodes own their children and are immutable. Whoever holds a pointer into the
// tree must keep its File alive.

struct Statement;
/// The statements of a block, in order. Only `otherwise`, `at_the_end` and the body of a file may
/// be empty.
using Body = std::vector<Statement>;

/// An expression whose value is discarded, such as a call. A docstring is one whose value is a
/// String; the tree does not mark it.
struct ExpressionStatement {
  Expression value;
};

/// `a = b, c = value`: at least one target. Targets are names, attributes, subscripts, and tuples
/// and lists of them, in which one item may be Starred; the parser refuses others.
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

/// `target: annotation = value`. The target is a Name, an Attribute or a Subscript.
struct AnnotatedAssign {
  Expression target;
  Expression annotation;
  ExpressionPtr value;  // null: not written
};

/// `return value`.
struct Return {
  ExpressionPtr value;  // null: not written
};

/// `if condition: body else: otherwise`. An `elif` is the only statement of `otherwise`, and its
/// range begins at the `elif`.
struct If {
  Expression condition;
  Body body;
  Body otherwise;
};

/// `for target in iterable: body else: otherwise`. `otherwise` is empty without an `else`; it runs
/// unless `break` ends the loop.
struct For {
  Expression target;
  Expression iterable;
  Body body;
  Body otherwise;
  bool is_async = false;
};

/// `while condition: body else: otherwise`. `otherwise` is empty without an `else`; it runs unless
/// `break` ends the loop.
struct While {
  Expression condition;
  Body body;
  Body otherwise;
};

/// `with context as target, …: body`. It has at least one item; parentheses around the items leave
/// no trace.
struct With {
  /// One context manager and the target that its value is assigned to.
  struct Item {
    Expression context;
    ExpressionPtr target;  // null: no `as`
  };
  std::vector<Item> items;
  Body body;
  bool is_async = false;
};

/// `except type as name: body`. Python deletes the name when the body ends.
struct Except {
  Range range;
  ExpressionPtr type;  // null: `except:`, which takes every exception
  std::string name;    // empty: no `as`
  Range name_range;
  Body body;
};

/// `try: body`, the handlers, `else: otherwise`, `finally: at_the_end`. It has a handler or a
/// `finally`; `otherwise` comes only with handlers. A handler without a type is the last one.
struct Try {
  Body body;
  std::vector<Except> handlers;
  Body otherwise;
  Body at_the_end;
  bool takes_groups = false;  // `except*`
};

/// `global names` or `nonlocal names`: at least one name.
struct Declaration {
  bool is_global = true;
  std::vector<std::string> names;
};

/// `@decorator def name(parameters) -> returns: body`. Decorators are in the order of the text, so
/// the last one is applied first.
struct Function {
  std::string name;
  Range name_range;
  std::vector<Expression> decorators;
  std::vector<Parameter> parameters;
  ExpressionPtr returns;  // null: not written
  Body body;
  bool is_async = false;
};

/// `@decorator class name(bases, keywords): body`. Bases may be Starred; keywords include
/// `metaclass`.
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

/// `import x, y`, or with `is_from` `from ..module import names`. `level` counts the dots before
/// the module, 2 in this example, and is 0 for an absolute import. `from m import *` has the single
/// name `*`.
struct Import {
  bool is_from = false;
  int level = 0;
  std::string module;  // of `from`, may be empty
  std::vector<ImportedName> names;
};

/// A statement of one keyword.
enum class Simple { pass, break_, continue_ };

/// `assert condition, message`. The message is evaluated only if the condition is false.
struct Assert {
  Expression condition;
  ExpressionPtr message;  // null: not written
};

/// `raise value from cause`. A cause comes only with a value.
struct Raise {
  ExpressionPtr value;  // null: not written
  ExpressionPtr cause;  // null: not written
};

/// `del targets`: at least one target, a name, attribute, subscript, or a tuple or list of them.
struct Delete {
  Expressions targets;
};

/// A node of the statement tree with its place in the text. The range goes from the first token,
/// after any decorators, to the last token; comments and the final line end do not belong to it.
struct Statement {
  using Kind = std::variant<ExpressionStatement, Assign, AugmentedAssign, AnnotatedAssign, Return,
                            If, For, While, With, Try, Function, Class, Import, Declaration, Simple,
                            Assert, Raise, Delete>;
  Range range;
  Kind kind;
};

/// A parsed source file: its text and its top-level statements. Immutable after parse(), which
/// shares it as a pointer to const, so any thread may read it.
struct File {
  std::shared_ptr<const schema::Source> source;
  Body body;

  /// Returns the place of a range for messages. The place shares ownership of the text and may
  /// outlive the file.
  schema::Place place(Range range) const { return {source, range.begin, range.end}; }
};

}  // namespace knead::syntax
