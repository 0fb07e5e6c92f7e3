#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runner/engine/model/lower/lower.h"

namespace knead::engine::model {

/// Whether a value is a module, or a tuple with one in it.
bool has_module(const Value& value);

/// Whether a name is in a table of names.
template <std::size_t N>
bool is_one_of(const std::string& name, const char* const (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// The lowering of one function: for each kind of expression and statement a function of its name.
class Lowering {
 public:
  Lowering(Statics& statics, References& references, std::shared_ptr<jit::Source> source)
      : statics_(statics), references_(references), trees_(std::move(source)) {}

  jit::Def function(const std::string& name, const std::vector<LoweredParameter>& parameters);

 private:
  using Statements = std::vector<jit::Stmt>;

  // --- expressions
  jit::Expr expression(const syntax::Expression& expression);
  jit::Expr written(const syntax::Expression& expression);  // where its value is not known
  jit::Expr known(syntax::Range at, const Value& value);
  jit::Expr lower(syntax::Range at, const syntax::Name& node);
  jit::Expr lower(syntax::Range at, const syntax::Constant& node);
  jit::Expr lower(syntax::Range at, const syntax::Integer& node);
  jit::Expr lower(syntax::Range at, const syntax::Float& node);
  jit::Expr lower(syntax::Range at, const syntax::String& node);
  jit::Expr lower(syntax::Range at, const syntax::FString& node);
  jit::Expr lower(syntax::Range at, const syntax::List& node);
  jit::Expr lower(syntax::Range at, const syntax::Tuple& node);
  jit::Expr lower(syntax::Range at, const syntax::Set& node);
  jit::Expr lower(syntax::Range at, const syntax::Dict& node);
  jit::Expr lower(syntax::Range at, const syntax::Unary& node);
  jit::Expr lower(syntax::Range at, const syntax::Binary& node);
  jit::Expr lower(syntax::Range at, const syntax::Logical& node);
  jit::Expr lower(syntax::Range at, const syntax::Comparison& node);
  jit::Expr lower(syntax::Range at, const syntax::Starred& node);
  jit::Expr lower(syntax::Range at, const syntax::Call& node);
  jit::Expr lower(syntax::Range at, const syntax::Attribute& node);
  jit::Expr lower(syntax::Range at, const syntax::Subscript& node);
  jit::Expr lower(syntax::Range at, const syntax::Slice& node);
  jit::Expr lower(syntax::Range at, const syntax::Conditional& node);
  jit::Expr lower(syntax::Range at, const syntax::Lambda& node);
  jit::Expr lower(syntax::Range at, const syntax::Comprehension& node);
  jit::Expr lower(syntax::Range at, const syntax::Walrus& node);

  /// A condition: `and`, `or` and `not` stay what they are.
  jit::Expr condition(const syntax::Expression& expression);
  jit::Expr compared(syntax::Range at, syntax::ComparisonOperator op,
                     const syntax::Expression& left, const syntax::Expression& right);
  jit::Expr logical(syntax::Range at, const syntax::Logical& node, std::size_t first);
  std::optional<jit::Expr> limit(syntax::Range at, const syntax::Attribute& node);
  jit::Expr subscripted(syntax::Range at, const syntax::Subscript& node);
  jit::Expr comprehended(syntax::Range at, const syntax::Comprehension& node,
                         const jit::Expr& iterable);
  jit::Expr nested(syntax::Range at, const syntax::Comprehension& node, std::size_t first);
  jit::Expr chosen(const syntax::Generator& generator, const jit::Expr& iterable);
  jit::Expr flat(syntax::Range at, const jit::Expr& lists);
  jit::Expr unrolled(syntax::Range at, const syntax::Comprehension& node, const Values& items);
  void bind_hidden(const syntax::Expression& target, const Value& value);
  void refuse_second_evaluation(const syntax::Expression& expression, const char* where);

  // --- calls
  std::optional<jit::Expr> special_call(syntax::Range at, const syntax::Call& node);
  jit::Expr super_call(syntax::Range at, const syntax::Attribute& method,
                       const syntax::Call& super);
  jit::Expr isinstance_call(syntax::Range at, const syntax::Call& node);
  jit::Expr type_of_isinstance(const syntax::Expression& type);
  std::vector<jit::Expr> arguments(const syntax::Call& node);
  jit::Expr argument(const syntax::Call& node, const syntax::Expression& expression);
  std::optional<Value> operator_named(const syntax::Expression& expression) const;
  std::vector<jit::Attribute> named_arguments(const syntax::Call& node);
  bool takes_numbers(const syntax::Call& node) const;

  // --- statements
  Statements body(const syntax::Body& body);
  Statements block(const syntax::Body& body);  // a body that may not run
  void statement(const syntax::Statement& statement, Statements& out);
  const syntax::Expression* mixed_condition(const syntax::Statement& statement) const;
  void split(const syntax::Statement& statement, const syntax::Expression& condition,
             Statements& out);
  void lower(syntax::Range at, const syntax::ExpressionStatement& node, Statements& out);
  void lower(syntax::Range at, const syntax::Assign& node, Statements& out);
  void lower(syntax::Range at, const syntax::AugmentedAssign& node, Statements& out);
  void lower(syntax::Range at, const syntax::AnnotatedAssign& node, Statements& out);
  void lower(syntax::Range at, const syntax::Return& node, Statements& out);
  void lower(syntax::Range at, const syntax::If& node, Statements& out);
  void lower(syntax::Range at, const syntax::For& node, Statements& out);
  void lower(syntax::Range at, const syntax::While& node, Statements& out);
  void lower(syntax::Range at, const syntax::With& node, Statements& out);
  void lower(syntax::Range at, const syntax::Function& node, Statements& out);
  void lower(syntax::Range at, const syntax::Class& node, Statements& out);
  void lower(syntax::Range at, const syntax::Import& node, Statements& out);
  void lower(syntax::Range at, const syntax::Simple& node, Statements& out);
  void lower(syntax::Range at, const syntax::Assert& node, Statements& out);
  void lower(syntax::Range at, const syntax::Raise& node, Statements& out);
  void lower(syntax::Range at, const syntax::Delete& node, Statements& out);

  jit::Stmt without_gradients(syntax::Range at, Statements body);
  jit::Expr context(const syntax::Expression& expression);
  jit::Expr target(const syntax::Expression& target);
  bool unpack_sizes(syntax::Range at, const syntax::Assign& node, Statements& out);
  void learn(const syntax::Expression& target, const std::optional<Value>& value);
  void forget_assigned(const syntax::Body& body);
  Statements repeated(const syntax::Body& body);  // the body of a loop
  std::optional<Values> items_to_unroll(const std::optional<Value>& value,
                                        const std::vector<const syntax::Expression*>& inside) const;
  bool picks_modules(const std::vector<const syntax::Expression*>& inside) const;
  void unroll(const syntax::For& node, const Values& items, Statements& out);
  void unroll(syntax::Range at, const syntax::While& node, Statements& out);
  void unroll_with_jumps(const syntax::For& node, const Values& items, Statements& out);
  void assign_known(syntax::Range at, const syntax::Expression& target, const Value& value,
                    Statements& out);

  [[noreturn]] void refuse(syntax::Range at, const std::string& message,
                           const std::string& remedy) const;

  Statics& statics_;
  References& references_;
  Trees trees_;
  std::set<std::string> declared_;   // local names that have a value, as far as the text was read
  std::vector<std::string> rounds_;  // of each loop here, what says that it goes on; or nothing
  int loops_ = 0;                    // that were given such a name
};

}  // namespace knead::engine::model
