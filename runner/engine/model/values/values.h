#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

// What can be said of values without running any source.

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

/// A function of ours as a value.
using BuiltinCall = std::function<Value(Evaluator&, const Arguments&, syntax::Range)>;
Value make_builtin(std::string name, BuiltinCall call);
Value make_iterator(std::string type, std::function<std::optional<Value>()> next);

/// The items of a list or tuple; null for anything else.
const Values* sequence(const Value& value);

/// A bool, int or float. What else is a number of Python's, tensors are not.
bool is_number(const Value& value);
bool is_integer(const Value& value);  // a bool, too
std::int64_t integer_of(const Value& number);
double float_of(const Value& number);

/// The number of a whole number, or a Mistake that names what was expected: "'str' object cannot be
/// interpreted as an integer".
std::int64_t to_integer(const Value& value);

/// The text, or a Mistake: "NAME must be a str, not int".
const std::string& to_text(const Value& value, std::string_view name);

/// "int", "list", "NoneType", "Linear", as type(value).__name__.
std::string type_name(const Value& value);

/// The function that a method, a decorated function or a plain one is; null for anything else.
const Function* function_of(const Value& value);

/// Values in `order`, by identity for what is shared: what `is` compares.
bool same(const Value& a, const Value& b);

/// The items of a range.
std::int64_t length(const Range& range);

/// A place in a sequence of `size` items from an index that may be negative. Throws Mistake in the
/// words "WHAT index out of range".
std::size_t position(std::int64_t index, std::size_t size, std::string_view what);

/// The places that a slice takes of a sequence of `size` items.
Range taken(const Slice& slice, std::size_t size);

}  // namespace knead::engine::model
