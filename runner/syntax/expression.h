#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace knead::syntax {

/// Bytes [begin, end) of the text of a file.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Expression;
using ExpressionPtr = std::unique_ptr<const Expression>;
using Expressions = std::vector<Expression>;

struct Name {
  std::string id;
};

enum class Constant { none, true_, false_, ellipsis };

/// A whole number; nothing where it does not fit 64 bits.
struct Integer {
  std::optional<std::int64_t> value;
};

struct Float {
  double value = 0;
};

/// Neighbouring literals are one; escapes are replaced.
struct String {
  std::string value;
};

/// `{value!r:{width}}` of an f-string; `conversion` is r, s, a or 0, `spec` an f-string of its own
/// (may be empty).
struct Replacement {
  ExpressionPtr value;
  char conversion = 0;
  std::vector<std::variant<std::string, Replacement>> spec;
  std::string debug;  // "x=" of `{x=}`, as written; empty otherwise
};

struct FString {
  std::vector<std::variant<std::string, Replacement>> parts;
};

struct List {
  Expressions items;
};

struct Tuple {
  Expressions items;
  bool in_parentheses = false;
};

struct Set {
  Expressions items;
};

/// A missing key is `**value`.
struct DictItem {
  ExpressionPtr key;
  ExpressionPtr value;
};

struct Dict {
  std::vector<DictItem> items;
};

enum class UnaryOperator { minus, plus, invert, not_ };

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

struct Binary {
  ExpressionPtr left;
  BinaryOperator op;
  ExpressionPtr right;
};

/// `a and b and c`: two operands or more, of one kind.
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

/// `a < b <= c`: operators.size() + 1 operands.
struct Comparison {
  Expressions operands;
  std::vector<ComparisonOperator> operators;
};

/// `*value` where items of it are meant.
struct Starred {
  ExpressionPtr value;
};

/// An empty name is `**value`.
struct Keyword {
  std::string name;
  Range name_range;
  ExpressionPtr value;
};

struct Call {
  ExpressionPtr callee;
  Expressions arguments;  // may hold Starred
  std::vector<Keyword> keywords;
};

struct Attribute {
  ExpressionPtr value;
  std::string name;
  Range name_range;
};

/// `value[index]`; several indices are a Tuple.
struct Subscript {
  ExpressionPtr value;
  ExpressionPtr index;
};

/// Only inside a Subscript. Parts that are not written are null.
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
  ExpressionPtr annotation;  // null: not written
  ExpressionPtr fallback;    // null: must be given
};

struct Lambda {
  std::vector<Parameter> parameters;
  ExpressionPtr body;
};

/// `for target in iterable if condition if condition`.
struct Generator {
  ExpressionPtr target;
  ExpressionPtr iterable;
  Expressions conditions;
};

struct Comprehension {
  enum class Kind { list, set, dict, generator };

  Kind kind = Kind::list;
  ExpressionPtr element;  // the key of a dict
  ExpressionPtr value;    // of a dict, else null
  std::vector<Generator> generators;
};

/// `name := value`.
struct Walrus {
  std::string name;
  ExpressionPtr value;
};

struct Expression {
  using Kind = std::variant<Name, Constant, Integer, Float, String, FString, List, Tuple, Set, Dict,
                            Unary, Binary, Logical, Comparison, Starred, Call, Attribute, Subscript,
                            Slice, Conditional, Lambda, Comprehension, Walrus>;
  Range range;
  Kind kind;
  int levels = 1;  // of expressions in it, itself included: the parser bounds them
};

}  // namespace knead::syntax
