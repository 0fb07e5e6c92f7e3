#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

// Functions of values that need no evaluator: they run no source and change no value.

/// Returns the pointer that a value holds; null if the value has another type.
template <typename T>
const std::shared_ptr<T>* as(const Value& value) {
  return std::get_if<std::shared_ptr<T>>(&value);
}

inline bool is_none(const Value& value) { return std::holds_alternative<None>(value); }
inline bool is_text(const Value& value) { return std::holds_alternative<std::string>(value); }
inline bool is_tensor(const Value& value) { return std::holds_alternative<at::Tensor>(value); }

/// Make a new value. A list or tuple takes over the items; a second call makes another list, which
/// `is` tells apart.
Value make_list(Values items);
Value make_tuple(Values items);
Value make_text(std::string_view text);
Value make_integer(std::int64_t value);
/// Returns a submodule as a value; None for a null pointer, which stands for a submodule that is
/// registered as None.
Value make_module(std::shared_ptr<Object> module);

/// Implements a built-in function: gets the evaluator, the arguments and the place of the call.
using BuiltinCall = std::function<Value(Evaluator&, const Arguments&, syntax::Range)>;
/// Makes a built-in function. `call` may be null if only the compiler uses the value and finds the
/// function by its name.
Value make_builtin(std::string name, BuiltinCall call);
/// Makes an iterator; `type` is its name in messages, and `next` returns std::nullopt at the end.
Value make_iterator(std::string type, std::function<std::optional<Value>()> next);

/// Returns the steps that a copy of a value counts for its text: one for eight bytes.
inline std::int64_t text_steps(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text ? static_cast<std::int64_t>(text->size() / 8) : 0;
}

/// Returns the byte at which a text contains another from a byte on; std::string::npos if it does
/// not. Takes time linear in the lengths of both.
std::size_t find_text(const std::string& text, std::string_view part, std::size_t from = 0);

/// Returns the items of a list or tuple; null for any other value. The pointer is valid as long as
/// the list lives and is not resized.
const Values* sequence(const Value& value);

/// Returns whether a value is a list of a recipe that passes for a tuple.
bool passes_for_tuple(const Value& value);

/// Returns whether a value is a bool, int or float, also one of NumPy; a tensor or an array is not.
bool is_number(const Value& value);
/// Returns whether a value is an int or a bool, which is an int in Python, also one of NumPy.
bool is_integer(const Value& value);
/// Returns whether a value is an array or a number of NumPy, whose operators are those of NumPy.
bool is_of_numpy(const Value& value);
/// Returns a number of NumPy as Python's bool, int or float; any other value as it is.
Value plain(const Value& value);

/// Returns the address that all holders of a shared value see; null for a value without identity,
/// such as a number or a tensor.
const void* address_of(const Value& value);
/// Converts a bool or int; is_integer() must hold.
std::int64_t integer_of(const Value& number);
/// Converts a bool, int or float; is_number() must hold. An int beyond 2^53 is rounded.
double float_of(const Value& number);

/// Converts an int or bool, or an array of one without dimensions; throws Mistake "'str' object
/// cannot be interpreted as an integer" for other values.
std::int64_t to_integer(const Value& value);

/// Returns the text, owned by `value`; throws Mistake "NAME must be a str, not int" for other
/// values.
const std::string& to_text(const Value& value, std::string_view name);

/// Returns type(value).__name__: "int", "list", "NoneType", "Linear". A parameter is a "Tensor"
/// here, because only the evaluator knows which tensors are parameters.
std::string type_name(const Value& value);

/// Returns the name of a dtype that an Array may have: "float64".
const char* array_type_name(c10::ScalarType type);

/// Returns the source function of a function or bound method; null for any other value, including a
/// built-in function. The value owns the result.
const Function* function_of(const Value& value);

/// Returns the name of the argument that passes a captured variable; no source can contain it.
std::string captured_name(const std::string& variable);

/// Returns whether `a is b` holds in Python: compares tensors and shared values by identity, plain
/// ones by type and value. Two bound methods are the same if their objects and functions are.
bool same(const Value& a, const Value& b);

/// Returns the number of items of a range; 0 if the step leads away from the end. The step must not
/// be 0.
std::int64_t length(const Range& range);

/// Converts an index that may be negative to a position in a sequence of `size` items: -1 is the
/// last item. Throws Mistake "WHAT index out of range".
std::size_t position(std::int64_t index, std::size_t size, std::string_view what);

/// Returns the positions that a slice selects in a sequence of `size` items, clamped to the
/// sequence as in Python: items[-2:] of 5 items is the range 3 … 5. With a negative step, `end` may
/// be -1, the place before the first item. Throws Mistake for a step of zero and for a part that is
/// neither an integer nor None.
Range taken(const Slice& slice, std::size_t size);

}  // namespace knead::engine::model
