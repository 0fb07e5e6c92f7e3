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
/// be mixed, because the place of a node covers those of its children by offset.
class Trees {
 public:
  explicit Trees(std::shared_ptr<jit::Source> source) : source_(std::move(source)) {}

  /// Converts a byte range of the file to a TorchScript range.
  jit::SourceRange place(syntax::Range range) const {
    return jit::SourceRange(source_, range.begin, range.end);
  }

  /// Each function below creates one kind of node at the place `at`.
  jit::Ident identifier(syntax::Range at, const std::string& name) const {
    return jit::Ident::create(place(at), name);
  }
  jit::Expr name(syntax::Range at, const std::string& name) const {
    return jit::Var::create(place(at), identifier(at, name));
  }
  jit::Expr text(syntax::Range at, const std::string& value) const {
    return jit::StringLiteral::create(place(at), value);
  }
  jit::Expr integer(syntax::Range at, std::int64_t value) const {
    return jit::Const::create(place(at), std::to_string(value));
  }
  jit::Expr word(syntax::Range at, int kind) const {  // kind: TK_TRUE, TK_FALSE, TK_NONE
    return jit::Expr(jit::Compound::create(kind, place(at), {}));
  }
  jit::Expr attribute(syntax::Range at, const jit::Expr& of, const std::string& name) const {
    return jit::Select::create(place(at), of, identifier(at, name));
  }
  jit::Expr call(syntax::Range at, const jit::Expr& callee, const std::vector<jit::Expr>& arguments,
                 const std::vector<jit::Attribute>& named = {}) const {
    return jit::Apply::create(place(at), callee, list(at, arguments), list(at, named));
  }
  jit::Expr binary(syntax::Range at, int kind, const jit::Expr& left,
                   const jit::Expr& right) const {
    return jit::BinOp::create(place(at), kind, left, right);
  }
  jit::Expr unary(syntax::Range at, int kind, const jit::Expr& operand) const {
    return jit::UnaryOp::create(place(at), kind, operand);
  }
  jit::Expr conditional(syntax::Range at, const jit::Expr& condition, const jit::Expr& body,
                        const jit::Expr& otherwise) const {
    return jit::TernaryIf::create(place(at), condition, body, otherwise);
  }
  jit::Expr tuple(syntax::Range at, const std::vector<jit::Expr>& items) const {
    return jit::TupleLiteral::create(place(at), list(at, items));
  }
  jit::Stmt assign(syntax::Range at, const jit::Expr& target, const jit::Expr& value) const {
    return jit::Assign::create(place(at), list<jit::Expr>(at, {target}), present(at, value),
                               absent<jit::Expr>(at));
  }

  template <class T>
  jit::List<T> list(syntax::Range at, const std::vector<T>& items) const {
    return jit::List<T>::create(place(at), items);
  }
  /// Optional children of a node: present, absent, or by a std::optional.
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
