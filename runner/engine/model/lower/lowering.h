#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runner/engine/model/lower/lower.h"

namespace knead::engine::model {

/// Returns whether a value is a module or a tuple that contains one.
bool has_module(const Value& value);

/// Returns whether a table contains a name.
template <std::size_t N>
bool is_one_of(const std::string& name, const char* const (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Lowers one function. There is one overload of lower() for each kind of expression and statement.
class Lowering {
 public:
  Lowering(Statics& statics, References& references, std::shared_ptr<jit::Source> source)
      : statics_(statics), references_(references), trees_(std::move(source)) {}

  /// Lowers the function; see lower() in lower.h.
  jit::Def function(const std::string& name, const std::vector<LoweredParameter>& parameters);

 private:
  using Statements = std::vector<jit::Stmt>;

  // --- expressions
  jit::Expr expression(const syntax::Expression& expression);
  jit::Expr written(const syntax::Expression& expression);  // never replaced by its value
  /// Lowers a known value: a literal if there is one, otherwise a name of References.
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

  /// Lowers an expression of which only the truth value counts: `and`, `or` and `not` stay logical
  /// operators.
  jit::Expr condition(const syntax::Expression& expression);
  jit::Expr compared(syntax::Range at, syntax::ComparisonOperator op,
                     const syntax::Expression& left, const syntax::Expression& right);
  /// Lowers the operands of `and` or `or` from `first` on; the result is one of the operands.
  jit::Expr logical(syntax::Range at, const syntax::Logical& node, std::size_t first);
  /// Lowers torch.finfo(dtype).min, .max and .eps of a dtype that is not known.
  std::optional<jit::Expr> limit(syntax::Range at, const syntax::Attribute& node);
  jit::Expr subscripted(syntax::Range at, const syntax::Subscript& node);
  /// Lowers a comprehension with one `for` to a TorchScript comprehension.
  jit::Expr comprehended(syntax::Range at, const syntax::Comprehension& node,
                         const jit::Expr& iterable);
  /// Lowers the `for` clauses of a list comprehension from `first` on.
  jit::Expr nested(syntax::Range at, const syntax::Comprehension& node, std::size_t first);
  /// Lowers the `if` conditions of a comprehension: returns a list of the chosen items.
  jit::Expr chosen(const syntax::Generator& generator, const jit::Expr& iterable);
  /// Emits the concatenation of a list of lists.
  jit::Expr flat(syntax::Range at, const jit::Expr& lists);
  /// Lowers a comprehension over known items to a list or dict literal.
  jit::Expr unrolled(syntax::Range at, const syntax::Comprehension& node, const Values& items);
  /// Binds the names of a comprehension target to a known item.
  void bind_hidden(const syntax::Expression& target, const Value& value);
  /// Refuses calls in an expression that the tree evaluates twice.
  void refuse_second_evaluation(const syntax::Expression& expression, const char* where);

  // --- calls
  std::optional<jit::Expr> special_call(syntax::Range at, const syntax::Call& node);
  jit::Expr super_call(syntax::Range at, const syntax::Attribute& method,
                       const syntax::Call& super);
  jit::Expr isinstance_call(syntax::Range at, const syntax::Call& node);
  jit::Expr type_of_isinstance(const syntax::Expression& type);
  std::vector<jit::Expr> arguments(const syntax::Call& node);
  /// Lowers an argument; a function or configuration object becomes the text of References::pass().
  jit::Expr argument(const syntax::Call& node, const syntax::Expression& expression);
  /// Returns an operator of torch that is passed and not called, such as `torch.tanh`.
  std::optional<Value> operator_named(const syntax::Expression& expression) const;
  std::vector<jit::Attribute> named_arguments(const syntax::Call& node);
  /// Lowers float(text) of a known text; refuses it, in Python's words, if it is no number.
  jit::Expr float_call(syntax::Range at, const std::string& text);
  /// Returns whether the called method accepts sizes either one by one or as one list.
  bool takes_numbers(const syntax::Call& node) const;

  // --- statements
  Statements body(const syntax::Body& body);
  Statements block(const syntax::Body& body);  // a body that runs under a condition
  void statement(const syntax::Statement& statement, Statements& out);
  /// Returns the condition of `a if condition else b` if a and b are known numbers of different
  /// types.
  const syntax::Expression* mixed_condition(const syntax::Statement& statement) const;
  /// Compiles a statement for both values of a condition.
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

  /// Wraps statements in torch.no_grad().
  jit::Stmt without_gradients(syntax::Range at, Statements body);
  jit::Expr context(const syntax::Expression& expression);
  jit::Expr target(const syntax::Expression& target);
  /// Lowers `a, *rest = x.shape`; returns false for any other assignment.
  bool unpack_sizes(syntax::Range at, const syntax::Assign& node, Statements& out);
  /// Records the value of a name after an assignment; std::nullopt if it is not known.
  void learn(const syntax::Expression& target, const std::optional<Value>& value);
  /// Removes the known values of all names that a body assigns.
  void forget_assigned(const syntax::Body& body);
  Statements repeated(const syntax::Body& body);  // a body that may run several times
  /// Returns the items of a loop that must be unrolled because it handles or picks modules.
  std::optional<Values> items_to_unroll(const std::optional<Value>& value,
                                        const std::vector<const syntax::Expression*>& inside) const;
  /// Returns whether an expression selects a module by a value that is not known.
  bool picks_modules(const std::vector<const syntax::Expression*>& inside) const;
  void unroll(const syntax::For& node, const Values& items, Statements& out);
  void unroll(syntax::Range at, const syntax::While& node, Statements& out);
  void unroll_with_jumps(const syntax::For& node, const Values& items, Statements& out);
  /// Assigns a known value; a module needs no code.
  void assign_known(syntax::Range at, const syntax::Expression& target, const Value& value,
                    Statements& out);

  [[noreturn]] void refuse(syntax::Range at, const std::string& message,
                           const std::string& remedy) const;

  Statics& statics_;
  References& references_;
  Trees trees_;
  std::set<std::string> declared_;   // local names assigned so far
  std::vector<std::string> rounds_;  // continue flag of each open loop; empty if none
  int loops_ = 0;                    // number of continue flags made
};

}  // namespace knead::engine::model
