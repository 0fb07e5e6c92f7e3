#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace knead::syntax {

/// The bytes [begin, end) of a file's text.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Expression;
using ExpressionPtr = std::unique_ptr<const Expression>;
using Expressions = std::vector<Expression>;

/// An identifier that is read or bound.
struct Name {
  std::string id;
};

/// None, True, False or `...`.
enum class Constant { none, true_, false_, ellipsis };

/// An integer literal; std::nullopt if it does not fit in 64 bits.
struct Integer {
  std::optional<std::int64_t> value;
};

/// A float literal; a value beyond the range of double is infinite.
struct Float {
  double value = 0;
};

/// A string literal with escapes replaced; adjacent literals are one String.
struct String {
  std::string value;
};

/// The replacement field `{value!r:{width}}` of an f-string.
struct Replacement {
  ExpressionPtr value;
  char conversion = 0;                                       // r, s, a, or 0 for none
  std::vector<std::variant<std::string, Replacement>> spec;  // an f-string, may be empty
  std::string debug;  // "x=" of `{x=}` as written, otherwise empty
};

/// An f-string: texts and replacement fields in order.
struct FString {
  std::vector<std::variant<std::string, Replacement>> parts;
};

/// `[a, *b]`.
struct List {
  Expressions items;
};

/// `a, b` or `(a, b)`.
struct Tuple {
  Expressions items;
  bool in_parentheses = false;
};

/// `{a, *b}`.
struct Set {
  Expressions items;
};

/// One item of a dict display; `**value` has a null key.
struct DictItem {
  ExpressionPtr key;
  ExpressionPtr value;
};

/// `{a: b, **c}`.
struct Dict {
  std::vector<DictItem> items;
};

enum class UnaryOperator { minus, plus, invert, not_ };

/// `-operand`, `+operand`, `~operand` or `not operand`.
struct Unary {
  UnaryOperator op;
  ExpressionPtr operand;
};

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

/// `left op right` with an arithmetic or bitwise operator.
struct Binary {
  ExpressionPtr left;
  BinaryOperator op;
  ExpressionPtr right;
};

/// `a and b and c`, or the same with `or`: at least two operands.
struct Logical {
  bool is_and = true;
  Expressions operands;
};

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

/// `a < b <= c`: one more operand than operators.
struct Comparison {
  Expressions operands;
  std::vector<ComparisonOperator> operators;
};

/// `*value`, which stands for the items of the value.
struct Starred {
  ExpressionPtr value;
};

/// A keyword argument `name=value`; `**value` has an empty name.
struct Keyword {
  std::string name;
  Range name_range;
  ExpressionPtr value;
};

/// `callee(arguments, keywords)`.
struct Call {
  ExpressionPtr callee;
  Expressions arguments;  // in order; may contain Starred
  std::vector<Keyword> keywords;
};

/// `value.name`.
struct Attribute {
  ExpressionPtr value;
  std::string name;
  Range name_range;
};

/// `value[index]`; several indices form a Tuple.
struct Subscript {
  ExpressionPtr value;
  ExpressionPtr index;
};

/// `begin:end:step` inside a Subscript; omitted parts are null.
struct Slice {
  ExpressionPtr begin;
  ExpressionPtr end;
  ExpressionPtr step;
};

/// `body if condition else otherwise`.
struct Conditional {
  ExpressionPtr condition;
  ExpressionPtr body;
  ExpressionPtr otherwise;
};

/// A parameter of a function or lambda.
struct Parameter {
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

/// `lambda parameters: body`.
struct Lambda {
  std::vector<Parameter> parameters;
  ExpressionPtr body;
};

/// One loop of a comprehension: `for target in iterable if condition if condition`.
struct Generator {
  ExpressionPtr target;
  ExpressionPtr iterable;
  Expressions conditions;
};

/// A comprehension or generator expression; `generators` has at least one loop.
struct Comprehension {
  enum class Kind { list, set, dict, generator };

  Kind kind = Kind::list;
  ExpressionPtr element;  // the key of a dict comprehension
  ExpressionPtr value;    // of a dict, else null
  std::vector<Generator> generators;
};

/// `name := value`.
struct Walrus {
  std::string name;
  ExpressionPtr value;  // of a dict comprehension, otherwise null
};

/// A node of the expression tree with its place in the text.
struct Expression {
  using Kind = std::variant<Name, Constant, Integer, Float, String, FString, List, Tuple, Set, Dict,
                            Unary, Binary, Logical, Comparison, Starred, Call, Attribute, Subscript,
                            Slice, Conditional, Lambda, Comprehension, Walrus>;
  Range range;
  Kind kind;
  int levels = 1;  // nesting depth, itself included; at most kMostLevels
};

}  // namespace knead::syntax
