#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runner/engine/model/lower/lower.h"
#include "runner/syntax/bound_names.h"

namespace knead::engine::model {

/// Returns whether a value is a module or a tuple that contains one.
bool has_module(const Value& value);

/// Returns whether a table contains a name. Linear, for tables of a few names.
template <std::size_t N>
bool is_one_of(const std::string& name, const char* const (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Lowers one function. There is one overload of lower() for each kind of expression and statement.
/// An object serves one call of function().
///
/// Every function throws syntax::Refusal at the user's place if TorchScript cannot express the
/// source. Functions for expressions return a node; functions for statements append to `out`,
/// because one statement may become none (a known value, a decided branch) or several (an unrolled
/// loop). Both use and update the known values of `statics`, so they must be called in the order in
/// which the source runs.
class Lowering {
 public:
  /// `statics` and `references` must outlive this object; `source` is the text of the file of the
  /// function.
  Lowering(Statics& statics, References& references, std::shared_ptr<jit::Source> source)
      : statics_(statics), references_(references), trees_(std::move(source)) {}

  /// Lowers the function; see lower() in lower.h.
  jit::Def function(const std::string& name, const std::vector<LoweredParameter>& parameters);

 private:
  using Statements = std::vector<jit::Stmt>;

  /// Lowers an expression: its known value if References can refer to it, otherwise written().
  jit::Expr expression(const syntax::Expression& expression);
  /// Lowers an expression by its kind and never replaces it by its value, as targets of assignments
  /// need.
  jit::Expr written(const syntax::Expression& expression);
  /// Lowers a known value: a literal if there is one, otherwise a name of References.
  jit::Expr known(syntax::Range at, const Value& value);
  jit::Expr lower(syntax::Range at, const syntax::Name& node);
  jit::Expr lower(syntax::Range at, const syntax::Constant& node);
  jit::Expr lower(syntax::Range at, const syntax::Integer& node);
  jit::Expr lower(syntax::Range at, const syntax::Float& node);
  jit::Expr lower(syntax::Range at, const syntax::Imaginary& node);
  jit::Expr lower(syntax::Range at, const syntax::String& node);
  jit::Expr lower(syntax::Range at, const syntax::Bytes& node);
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
  jit::Expr lower(syntax::Range at, const syntax::Yield& node);
  jit::Expr lower(syntax::Range at, const syntax::Await& node);

  /// Lowers an expression of which only the truth value counts: `and`, `or` and `not` stay logical
  /// operators.
  jit::Expr condition(const syntax::Expression& expression);
  /// Lowers one comparison. A tuple or set after `in` becomes a list, because TorchScript searches
  /// lists only.
  jit::Expr compared(syntax::Range at, syntax::ComparisonOperator op,
                     const syntax::Expression& left, const syntax::Expression& right);
  /// Lowers the operands of `and` or `or` from `first` on; the result is one of the operands.
  jit::Expr logical(syntax::Range at, const syntax::Logical& node, std::size_t first);
  /// Lowers torch.finfo(dtype).min, .max and .eps of a dtype that is not known.
  std::optional<jit::Expr> limit(syntax::Range at, const syntax::Attribute& node);
  /// Lowers one index of a subscript.
  jit::Expr index(const syntax::Expression& expression);
  /// Lowers the subscript of a value that is not a container of modules, such as `x[:, 0]`.
  jit::Expr subscripted(syntax::Range at, const syntax::Subscript& node);
  /// Lowers a comprehension with one `for` to a TorchScript comprehension. `iterable` is already
  /// lowered, because it belongs to the scope outside.
  jit::Expr comprehended(syntax::Range at, const syntax::Comprehension& node,
                         const jit::Expr& iterable);
  /// Lowers the `for` clauses of a list comprehension from `first` on.
  jit::Expr nested(syntax::Range at, const syntax::Comprehension& node, std::size_t first);
  /// Lowers the `if` conditions of a comprehension: returns a list of the chosen items.
  jit::Expr chosen(const syntax::Generator& generator, const jit::Expr& iterable);
  /// Emits the concatenation of a list of lists.
  jit::Expr flat(syntax::Range at, const jit::Expr& lists);
  /// Lowers a comprehension over known items to a list or dict literal. Refuses a condition that is
  /// not known for every item.
  jit::Expr unrolled(syntax::Range at, const syntax::Comprehension& node, const Values& items);
  /// Binds the names of a comprehension target to a known item. Refuses an item that does not fit
  /// the target.
  void bind_hidden(const syntax::Expression& target, const Value& value);
  /// Refuses calls in an expression that the tree evaluates twice, except calls without side
  /// effects. `where` names the position in the message.
  void refuse_second_evaluation(const syntax::Expression& expression, const char* where);

  /// Lowers calls that TorchScript spells differently or knows only by name: super(), isinstance(),
  /// getattr(), hasattr(), torch.jit.annotate(), float("…"), x.bool(), x.normal_(). Returns
  /// std::nullopt for every other call.
  std::optional<jit::Expr> special_call(syntax::Range at, const syntax::Call& node);
  /// Refuses methods of texts that make them as long as a number says.
  void refuse_padding(syntax::Range at, const syntax::Call& node) const;
  /// Lowers `super().method`, without the call, to a name of self that ModuleSugar::super()
  /// decodes. `super` is the call of super, with two arguments or none.
  jit::Expr super_call(syntax::Range at, const syntax::Attribute& method,
                       const syntax::Call& super);
  /// Lowers isinstance(), which the emitter decides from static types.
  jit::Expr isinstance_call(syntax::Range at, const syntax::Call& node);
  /// Lowers the second argument of isinstance(): a type or a tuple of types.
  jit::Expr type_of_isinstance(const syntax::Expression& type);
  /// Lowers the positional arguments. Known items behind `*` are written out one by one; the sizes
  /// of `view(b, *rest)` become one list.
  std::vector<jit::Expr> arguments(const syntax::Call& node);
  /// Returns the value of a function that the method makes with a lambda or a def, of which `made`
  /// has the text and the defaults. `free` are the names that it reads around it.
  Value local_function(Function made, const syntax::Names& free);
  Value local_function(const syntax::Expression& lambda);
  /// Returns the defaults of parameters; refuses one that is not known.
  Values known_defaults(const std::vector<syntax::Parameter>& parameters);
  /// Lowers the variables that a call of such a function passes to it.
  std::vector<jit::Attribute> captured_arguments(syntax::Range at, const Value& callee);
  /// Lowers a call of a known function with one argument.
  jit::Expr called(syntax::Range at, const Value& callee, const jit::Expr& argument);
  /// Lowers map(function, items); std::nullopt if the function is not known.
  std::optional<jit::Expr> map_call(syntax::Range at, const syntax::Call& node);
  /// Lowers an argument; a function or configuration object becomes the text of References::pass().
  jit::Expr argument(const syntax::Call& node, const syntax::Expression& expression);
  /// Returns an operator of torch that is passed and not called, such as `torch.tanh`.
  std::optional<Value> operator_named(const syntax::Expression& expression) const;
  /// Returns whether a call is one of stft() that leaves `center` to its default.
  bool lacks_center(const syntax::Call& node) const;
  /// Lowers the keyword arguments. Refuses `**` of anything but an empty dict.
  std::vector<jit::Attribute> named_arguments(const syntax::Call& node);
  /// Appends the keyword arguments of `**value`: one for each key of a dict that is known, or of a
  /// parse_shape() with a known pattern. Refuses every other value but an empty dict.
  void expand_keywords(const syntax::Expression& value, std::vector<jit::Attribute>& named);
  /// Appends an argument for each axis of the parse_shape() `call`; returns false and appends
  /// nothing for any other call.
  bool expand_shape(syntax::Range at, const syntax::Call& call, std::vector<jit::Attribute>& named);
  /// Lowers the shapes of einops.unpack() that are written in the call, which TorchScript takes for
  /// lists of several types; std::nullopt for any other argument.
  std::optional<jit::Expr> packed_shapes(const syntax::Call& node,
                                         const syntax::Expression& expression);
  /// Lowers float(text) of a known text; refuses it, in Python's words, if it is no number.
  jit::Expr float_call(syntax::Range at, const std::string& text);
  std::optional<jit::Expr> empty_tensor(syntax::Range at, const syntax::Call& node,
                                        const syntax::Attribute& function);
  std::optional<jit::Expr> nonzero_call(syntax::Range at, const syntax::Call& node,
                                        const syntax::Attribute& method);
  /// Returns whether an expression is the module torch.
  bool is_torch(const syntax::Expression& expression) const;
  /// Returns whether an expression has a known value that is no tensor.
  bool is_known_object(const syntax::Expression& expression) const;
  /// Returns whether the called method accepts sizes either one by one or as one list.
  bool takes_numbers(const syntax::Call& node) const;

  // --- statements
  Statements body(const syntax::Body& body);
  /// Lowers a body that runs under a condition: restores the known values at its end. The caller
  /// must make unknown what the body assigns.
  Statements block(const syntax::Body& body);
  /// Refuses the expression at `at` if the model has become too much code.
  void expect_room(syntax::Range at) const;
  /// Appends the lowered statement to `out`; appends nothing for a statement that needs no code.
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
  void lower(syntax::Range at, const syntax::Try& node, Statements& out);
  void lower(syntax::Range at, const syntax::Declaration& node, Statements& out);
  void lower(syntax::Range at, const syntax::Function& node, Statements& out);
  void lower(syntax::Range at, const syntax::Class& node, Statements& out);
  void lower(syntax::Range at, const syntax::Import& node, Statements& out);
  void lower(syntax::Range at, const syntax::Simple& node, Statements& out);
  void lower(syntax::Range at, const syntax::Assert& node, Statements& out);
  void lower(syntax::Range at, const syntax::Raise& node, Statements& out);
  void lower(syntax::Range at, const syntax::Delete& node, Statements& out);

  /// Wraps statements in torch.no_grad().
  jit::Stmt without_gradients(syntax::Range at, Statements body);
  /// Returns whether a context of `with` can be left out.
  bool has_no_effect(const syntax::Expression& context) const;
  /// Lowers the context of a `with`: torch.no_grad(), enable_grad() or set_grad_enabled(). Refuses
  /// every other context.
  jit::Expr context(const syntax::Expression& expression);
  /// Lowers an assignment target. Names stay names, also where their value is known.
  jit::Expr target(const syntax::Expression& target);
  /// Lowers `a, b, c = *x.shape, value`; returns false and appends nothing for any other
  /// assignment.
  bool unpack_starred(syntax::Range at, const syntax::Assign& node, Statements& out);
  /// Lowers `a, *rest = x.shape`; returns false and appends nothing for any other assignment.
  bool unpack_sizes(syntax::Range at, const syntax::Assign& node, Statements& out);
  /// Records the value of a name after an assignment; std::nullopt if it is not known. All other
  /// Returns the type that a variable needs which is None first; absent for other targets.
  jit::Maybe<jit::Expr> type_of_none(syntax::Range at, const syntax::Expression& target);
  /// Lowers an assignment of None to several targets, `a = b = None` and `a, b = None, None`;
  /// returns false and appends nothing for any other assignment.
  bool forget_all(syntax::Range at, const syntax::Assign& node, const Value& value,
                  Statements& out);
  /// names of the target become unknown.
  void learn(const syntax::Expression& target, const std::optional<Value>& value);
  /// Removes the known values of all names that a body assigns.
  void forget_assigned(const syntax::Body& body);
  /// Lowers a body that may run several times: the names that it assigns are unknown in it and
  /// after it.
  Statements repeated(const syntax::Body& body);
  /// Returns the items of a loop that must be unrolled because it handles or picks modules;
  /// std::nullopt for a loop that stays one. `inside` are the expressions of its body.
  std::optional<Values> items_to_unroll(const std::optional<Value>& value,
                                        const std::vector<const syntax::Expression*>& inside) const;
  /// Refuses modules of a list that are not registered in the model.
  void expect_registered(syntax::Range at, const Values& items) const;
  /// Returns whether an expression selects a module by a value that is not known.
  bool picks_modules(const std::vector<const syntax::Expression*>& inside) const;
  /// Append the body of a loop once for each item, or once for each round of a `while` whose
  /// condition stays known. Refuse a `while` of more than 1000 rounds.
  void unroll(const syntax::For& node, const Values& items, Statements& out);
  void unroll(syntax::Range at, const syntax::While& node, Statements& out);
  /// Unrolls a loop whose body contains `break` or `continue`, with a flag that tells the next
  /// round to run.
  void unroll_with_jumps(const syntax::For& node, const Values& items, Statements& out);
  /// Assigns a known value; a module needs no code.
  void assign_known(syntax::Range at, const syntax::Expression& target, const Value& value,
                    Statements& out);

  /// Throws syntax::Refusal of the kind model-refused at a range of the function's file. `remedy`
  /// may be empty.
  [[noreturn]] void refuse(syntax::Range at, const std::string& message,
                           const std::string& remedy) const;

  Statics& statics_;
  References& references_;
  Trees trees_;
  /// Local names assigned so far, parameters included. The first assignment of a name declares its
  /// type.
  std::set<std::string> declared_;
  /// Name of the flag that `continue` sets, for each open loop, the innermost last; empty for a
  /// loop that is not unrolled.
  std::vector<std::string> rounds_;
  /// Number of flags made, which keeps their names distinct.
  int loops_ = 0;
  /// Number of statements lowered, each once for each round of an unrolled loop.
  int statements_ = 0;
};

}  // namespace knead::engine::model
