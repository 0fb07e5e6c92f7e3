#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace knead::syntax {

/// The bytes [begin, end) of a file's text. Offsets count from the first byte of the text, a byte
/// order mark included.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Expression;
/// Owns a child of a node. It is null only where the comment of the member allows that.
using ExpressionPtr = std::unique_ptr<const Expression>;
/// Owns children of a node in the order of the text.
using Expressions = std::vector<Expression>;

/// An identifier that is read or bound. `id` is UTF-8 as written; keywords are never names.
struct Name {
  std::string id;
};

/// None, True, False or `...`.
enum class Constant { none, true_, false_, ellipsis };

/// An integer literal without a sign: `-1` is a Unary on 1. `value` is std::nullopt if the literal
/// does not fit in 64 bits with a sign, so 9223372036854775808 has none, with or without a minus.
struct Integer {
  std::optional<std::int64_t> value;
};

/// A float literal without a sign. A value beyond the range of double is infinite, and one too
/// small for it is 0, as in Python.
struct Float {
  double value = 0;
};

/// An imaginary number such as `2.5j`, by the rules of a Float.
struct Imaginary {
  double value = 0;
};

/// A string literal as UTF-8 with escapes replaced and line ends as line feeds; adjacent literals
/// are one String. The value may contain zero bytes.
struct String {
  std::string value;
};

/// A bytes literal with escapes replaced; adjacent literals are one Bytes. Any byte may occur.
struct Bytes {
  std::string value;
};

/// The replacement field `{value!r:{width}}` of an f-string. `{value=}` has the conversion r unless
/// it has a conversion or a format of its own.
struct Replacement {
  ExpressionPtr value;
  char conversion = 0;                                       // r, s, a, or 0 for none
  std::vector<std::variant<std::string, Replacement>> spec;  // an f-string, may be empty
  std::string debug;  // "x=" of `{x=}` as written, otherwise empty
};

/// An f-string: texts and replacement fields in order. No text is empty and no two texts are
/// adjacent; `f""` has no part.
struct FString {
  std::vector<std::variant<std::string, Replacement>> parts;
};

/// A list display such as `[a, *b]`; the items may be Starred.
struct List {
  Expressions items;
};

/// `a, b` or `(a, b)`; the items may be Starred. `()` has no item. The range of a tuple with
/// parentheses includes them.
struct Tuple {
  Expressions items;
  bool in_parentheses = false;
};

/// A set display such as `{a, *b}`. It has at least one item, because `{}` is a Dict.
struct Set {
  Expressions items;
};

/// One item of a dict display; `**value` has a null key.
struct DictItem {
  ExpressionPtr key;
  ExpressionPtr value;
};

/// A dict display such as `{a: b, **c}`. Keys may repeat; as in Python, the last one counts.
struct Dict {
  std::vector<DictItem> items;
};

/// The operators `-`, `+`, `~` and `not`.
enum class UnaryOperator { minus, plus, invert, not_ };

/// `-operand`, `+operand`, `~operand` or `not operand`. Signs of literals are not folded into them.
struct Unary {
  UnaryOperator op;
  ExpressionPtr operand;
};

/// The operators `+ - * @ / // % ** << >> & | ^`, in this order. `and` and `or` are Logical,
/// because they do not always evaluate their second operand.
enum class BinaryOperator {
  add,
  subtract,
  multiply,
  matrix_multiply,
  divide,
  floor_divide,
  modulo,
  power,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor
};

/// `left op right`, arithmetic or bitwise. Precedence and associativity are resolved: `a - b - c`
/// has the Binary `a - b` on its left, `a ** b ** c` has `b ** c` on its right.
struct Binary {
  ExpressionPtr left;
  BinaryOperator op;
  ExpressionPtr right;
};

/// `a and b and c`, or `a or b or c` with is_and false: at least two operands, which are evaluated
/// from left to right until one decides.
struct Logical {
  bool is_and = true;
  Expressions operands;
};

/// The operators `== != < <= > >= is`, `is not`, `in` and `not in`, in this order.
enum class ComparisonOperator {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  is,
  is_not,
  in,
  not_in
};

/// A chain such as `a < b <= c`: one more operand than operators. Python evaluates each operand at
/// most once and stops at the first comparison that is false.
struct Comparison {
  Expressions operands;
  std::vector<ComparisonOperator> operators;
};

/// `*value`, which stands for the items of the value. It occurs only as an item of a list, tuple,
/// set, call, base list, index or target, and as the annotation of `*args`.
struct Starred {
  ExpressionPtr value;
};

/// A keyword argument `name=value` of a call or a class. `**value` has an empty name, and its
/// name_range is the place of the `**`. Names do not repeat within a call.
struct Keyword {
  std::string name;
  Range name_range;
  ExpressionPtr value;
};

/// `callee(arguments, keywords)`. A Starred argument may stand behind a keyword in the text; the
/// tree does not keep the order between the two lists.
struct Call {
  ExpressionPtr callee;
  Expressions arguments;  // in order; may contain Starred
  std::vector<Keyword> keywords;
};

/// `value.name`. A dotted name such as `torch.nn.Linear` is an Attribute of an Attribute of a Name;
/// dotted_name() of classes.h joins it. `name_range` is the place of `name` alone, for messages
/// about it.
struct Attribute {
  ExpressionPtr value;
  std::string name;
  Range name_range;
};

/// `value[index]`. Several indices form a Tuple, and so does a lone `*index`.
struct Subscript {
  ExpressionPtr value;
  ExpressionPtr index;
};

/// `begin:end:step` as the index of a Subscript or as an item of its Tuple; omitted parts are null.
struct Slice {
  ExpressionPtr begin;
  ExpressionPtr end;
  ExpressionPtr step;
};

/// `body if condition else otherwise`. The condition is evaluated first, although it stands behind
/// the body.
struct Conditional {
  ExpressionPtr condition;
  ExpressionPtr body;
  ExpressionPtr otherwise;
};

/// A parameter of a function or lambda. All names of one list are different, and a bare `*` or `/`
/// is not a parameter: it shows only in the kinds of its neighbours.
struct Parameter {
  /// Tells how arguments reach the parameter. A positional_only one stands before `/`, a
  /// keyword_only one behind `*` or `*args`.
  enum class Kind {
    positional_only,
    ordinary,
    rest,
    keyword_only,
    keywords
  };  // rest: *args, keywords: **kwargs

  std::string name;
  Range range;  // of the name
  Kind kind = Kind::ordinary;
  ExpressionPtr annotation;  // null: none
  ExpressionPtr fallback;    // the default; null: required
};

/// `lambda parameters: body`. The parameters have no annotations.
struct Lambda {
  std::vector<Parameter> parameters;
  ExpressionPtr body;
};

/// One loop of a comprehension: `for target in iterable if condition if condition`. The conditions
/// may be empty.
struct Generator {
  ExpressionPtr target;
  ExpressionPtr iterable;
  Expressions conditions;
  bool is_async = false;
};

/// A comprehension or generator expression. `generators` has at least one loop, the outermost
/// first. Its targets are bound in a scope of its own, but Python evaluates the first iterable in
/// the enclosing scope.
struct Comprehension {
  /// Names the type of the result. A `generator` stands in parentheses, or is the only argument of
  /// a call.
  enum class Kind { list, set, dict, generator };

  Kind kind = Kind::list;
  ExpressionPtr element;  // the key of a dict comprehension
  ExpressionPtr value;    // of a dict, else null
  std::vector<Generator> generators;
};

/// `name := value`. It binds the name in the function, lambda or file around it, also from within a
/// comprehension.
struct Walrus {
  std::string name;
  ExpressionPtr value;
};

/// `yield value`, or `yield from value` with `is_from`. It makes the function or the lambda around
/// it a generator.
struct Yield {
  ExpressionPtr value;  // null: not written, and never null with is_from
  bool is_from = false;
};

/// `await value`. It stands in an `async def` or in a comprehension.
struct Await {
  ExpressionPtr value;
};

/// A node of the expression tree with its place in the text. Parentheses around an expression do
/// not belong to its range, except those of a tuple or a generator. The parser makes every node by
/// Parser::make(), which keeps `levels` correct and within kMostLevels.
struct Expression {
  using Kind =
      std::variant<Name, Constant, Integer, Float, Imaginary, String, Bytes, FString, List, Tuple,
                   Set, Dict, Unary, Binary, Logical, Comparison, Starred, Call, Attribute,
                   Subscript, Slice, Conditional, Lambda, Comprehension, Walrus, Yield, Await>;
  Range range;
  Kind kind;
  int levels = 1;  // nesting depth, itself included; at most kMostLevels
};

}  // namespace knead::syntax
