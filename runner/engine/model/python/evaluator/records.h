#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

// Implements classes derived from typing.NamedTuple and enum.Enum.

/// Return new base classes NamedTuple and Enum.
std::shared_ptr<Class> named_tuple_base();
std::shared_ptr<Class> enum_base();
/// Return whether a class is derived from one of them.
bool is_named_tuple(const Class& type);
bool is_enum(const Class& type);

/// Completes a class after its body has run: makes the fields of a NamedTuple or the members of an
/// Enum. Leaves other classes unchanged. After it, `Color(1)` returns the member with the value 1
/// and throws Mistake if there is none.
void finish_record(const std::shared_ptr<Class>& type);

/// Returns the member name under which a class keeps the setter of a property; no source can
/// contain it.
std::string setter_of(const std::string& property);

/// Converts an object of a NamedTuple to a tuple of its fields in order.
Value as_tuple(Evaluator& evaluator, const Value& object);

/// Implements collections.namedtuple("Pair", ["a", "b"]) and returns the class. Names may also be
/// one text, "a b" or "a, b"; `defaults` belong to the last fields.
Value make_named_tuple(Evaluator& evaluator, const Arguments& arguments);

/// Implements enum.auto(): the value becomes the next number when the Enum is completed.
Value next_member(Evaluator& evaluator, const Arguments& arguments);

}  // namespace knead::engine::model
