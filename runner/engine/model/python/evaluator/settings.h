#pragma once

#include <memory>
#include <string>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

// Implements the maps of a recipe as values of source, and the attributes of an object as a dict.

/// Returns an object for a map of a recipe. Its keys are attributes and items alike, because models
/// read their configuration as `c.width`, `c["width"]`, `getattr(c, "width", 3)`, `vars(c)` and
/// `**c`. It has the methods of a dict; a key of the same name hides a method.
std::shared_ptr<Object> make_settings(NamedValues entries);

/// Returns a dict-like view of the attributes of an object, as vars(object): a change of an item
/// changes the attribute.
std::shared_ptr<Object> attributes_as_dict(const std::shared_ptr<Object>& object);

/// Returns whether a value is an object that one of these functions made.
bool is_settings(const Value& value);

/// Returns the entries of such an object; is_settings() must hold. The pointer is valid until an
/// entry is added or removed.
NamedValues& entries_of(const Value& settings);

/// Returns an object for a dict and for the dicts in it and in its lists, as
/// argparse.Namespace(**dict) and its like make it. Other values are returned as they are.
Value as_settings(const Value& value);

}  // namespace knead::engine::model
