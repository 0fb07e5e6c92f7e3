#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

// Functions of values that need no evaluator.

/// Returns the pointer that a value holds; null if the value has another type.
template <typename T>
const std::shared_ptr<T>* as(const Value& value) {
  return std::get_if<std::shared_ptr<T>>(&value);
}

inline bool is_none(const Value& value) { return std::holds_alternative<None>(value); }
inline bool is_text(const Value& value) { return std::holds_alternative<std::string>(value); }
inline bool is_tensor(const Value& value) { return std::holds_alternative<at::Tensor>(value); }

Value make_list(Values items);
Value make_tuple(Values items);
Value make_text(std::string_view text);
Value make_integer(std::int64_t value);

/// Make a built-in function and an iterator.
using BuiltinCall = std::function<Value(Evaluator&, const Arguments&, syntax::Range)>;
Value make_builtin(std::string name, BuiltinCall call);
Value make_iterator(std::string type, std::function<std::optional<Value>()> next);

/// Returns the items of a list or tuple; null for any other value.
const Values* sequence(const Value& value);

/// Returns whether a value is a bool, int or float; a tensor is not.
bool is_number(const Value& value);
bool is_integer(const Value& value);  // includes bool
/// Convert a number; is_integer() or is_number() must hold.
std::int64_t integer_of(const Value& number);
double float_of(const Value& number);

/// Converts an int or bool; throws Mistake "'str' object cannot be interpreted as an integer" for
/// other values.
std::int64_t to_integer(const Value& value);

/// Returns the text; throws Mistake "NAME must be a str, not int" for other values.
const std::string& to_text(const Value& value, std::string_view name);

/// Returns type(value).__name__: "int", "list", "NoneType", "Linear".
std::string type_name(const Value& value);

/// Returns the source function of a function or bound method; null for any other value.
const Function* function_of(const Value& value);

/// Returns whether `a is b` holds in Python: compares shared values by identity, plain ones by
/// value.
bool same(const Value& a, const Value& b);

/// Returns the number of items of a range.
std::int64_t length(const Range& range);

/// Converts an index that may be negative to a position in a sequence of `size` items. Throws
/// Mistake "WHAT index out of range".
std::size_t position(std::int64_t index, std::size_t size, std::string_view what);

/// Returns the positions that a slice selects in a sequence of `size` items. Throws Mistake for a
/// step of zero.
Range taken(const Slice& slice, std::size_t size);

}  // namespace knead::engine::model
