#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

// Classes below typing.NamedTuple and enum.Enum, whose bodies say what their objects are.

std::shared_ptr<Class> named_tuple_base();
std::shared_ptr<Class> enum_base();
bool is_named_tuple(const Class& type);
bool is_enum(const Class& type);

/// What a class below one of them becomes when its body has run: the fields of a NamedTuple, the
/// members of an Enum.
void finish_record(const std::shared_ptr<Class>& type);

/// Where a class keeps the setter of a property: a name that no source can have.
std::string setter_of(const std::string& property);

/// The objects of a NamedTuple as what they are, too.
Value as_tuple(Evaluator& evaluator, const Value& object);

/// collections.namedtuple("Pair", ["a", "b"]).
Value make_named_tuple(Evaluator& evaluator, const Arguments& arguments);

/// enum.auto(): the next number.
Value next_member(Evaluator& evaluator, const Arguments& arguments);

}  // namespace knead::engine::model
