#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <torch/csrc/jit/frontend/tree_views.h>

#include "runner/syntax/tree.h"

namespace knead::engine::model {

namespace jit = torch::jit;

/// Creates nodes of TorchScript trees with places in one source file. Trees of two files must not
/// be mixed, because the place of a node covers those of its children by offset. The nodes are
/// immutable and shared, so one node may stand at several places of a tree.
///
/// The tree is the input of the emitter of LibTorch (torch/csrc/jit/frontend/ir_emitter.cpp), which
/// finds names through a Resolver and checks the types. No function here checks anything.
class Trees {
 public:
  /// `source` is the whole text of the file, because ranges of the syntax tree count its bytes.
  explicit Trees(std::shared_ptr<jit::Source> source) : source_(std::move(source)) {}

  /// Converts a byte range of the file to a TorchScript range; `end` is excluded in both.
  jit::SourceRange place(syntax::Range range) const {
    return jit::SourceRange(source_, range.begin, range.end);
  }

  /// Creates a bare name, as the name of a parameter or after a dot. It is not an expression. The
  /// functions below all create one kind of node at the place `at`.
  jit::Ident identifier(syntax::Range at, const std::string& name) const {
    return jit::Ident::create(place(at), name);
  }
  /// Creates the use or the binding of a variable. The emitter looks up names that the function
  /// does not assign in the Resolver.
  jit::Expr name(syntax::Range at, const std::string& name) const {
    return jit::Var::create(place(at), identifier(at, name));
  }
  /// Creates a string literal; `value` holds the characters themselves, without quotes and escapes.
  jit::Expr text(syntax::Range at, const std::string& value) const {
    return jit::StringLiteral::create(place(at), value);
  }
  /// Creates an int literal. A negative value is written with its sign, which the emitter accepts.
  jit::Expr integer(syntax::Range at, std::int64_t value) const {
    return jit::Const::create(place(at), std::to_string(value));
  }
  /// Creates True, False or None; `kind` is TK_TRUE, TK_FALSE or TK_NONE.
  jit::Expr word(syntax::Range at, int kind) const {
    return jit::Expr(jit::Compound::create(kind, place(at), {}));
  }
  /// Creates `of.name`, which reads an attribute or, as a callee, a method.
  jit::Expr attribute(syntax::Range at, const jit::Expr& of, const std::string& name) const {
    return jit::Select::create(place(at), of, identifier(at, name));
  }
  /// Creates `callee(arguments, named)`; the elements of `named` carry the names of keyword
  /// arguments.
  jit::Expr call(syntax::Range at, const jit::Expr& callee, const std::vector<jit::Expr>& arguments,
                 const std::vector<jit::Attribute>& named = {}) const {
    return jit::Apply::create(place(at), callee, list(at, arguments), list(at, named));
  }
  /// Creates an operator with two operands; `kind` is the TorchScript token: '+', '@', TK_POW,
  /// TK_AND, TK_EQ. The emitter evaluates the right side of TK_AND and TK_OR only if it decides the
  /// result.
  jit::Expr binary(syntax::Range at, int kind, const jit::Expr& left,
                   const jit::Expr& right) const {
    return jit::BinOp::create(place(at), kind, left, right);
  }
  /// Creates `-operand`, `~operand` or `not operand`; `kind` is TK_UNARY_MINUS, '~' or TK_NOT.
  jit::Expr unary(syntax::Range at, int kind, const jit::Expr& operand) const {
    return jit::UnaryOp::create(place(at), kind, operand);
  }
  /// Creates `body if condition else otherwise`.
  jit::Expr conditional(syntax::Range at, const jit::Expr& condition, const jit::Expr& body,
                        const jit::Expr& otherwise) const {
    return jit::TernaryIf::create(place(at), condition, body, otherwise);
  }
  jit::Expr tuple(syntax::Range at, const std::vector<jit::Expr>& items) const {
    return jit::TupleLiteral::create(place(at), list(at, items));
  }
  /// Creates `target = value` for one target, without an annotation.
  jit::Stmt assign(syntax::Range at, const jit::Expr& target, const jit::Expr& value) const {
    return jit::Assign::create(place(at), list<jit::Expr>(at, {target}), present(at, value),
                               absent<jit::Expr>(at));
  }

  /// Creates the list of children that many kinds of nodes contain; it is not a list literal of the
  /// source.
  template <class T>
  jit::List<T> list(syntax::Range at, const std::vector<T>& items) const {
    return jit::List<T>::create(place(at), items);
  }
  /// Create an optional child of a node: present, absent, or by a std::optional.
  template <class T>
  jit::Maybe<T> present(syntax::Range at, const T& value) const {
    return jit::Maybe<T>::create(place(at), value);
  }
  template <class T>
  jit::Maybe<T> absent(syntax::Range at) const {
    return jit::Maybe<T>::create(place(at));
  }
  jit::Maybe<jit::Expr> maybe(syntax::Range at, const std::optional<jit::Expr>& value) const {
    return value ? present(at, *value) : absent<jit::Expr>(at);
  }

 private:
  std::shared_ptr<jit::Source> source_;
};

}  // namespace knead::engine::model
