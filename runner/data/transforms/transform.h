#pragma once

#include <string>
#include <vector>

#include "recipe/transforms.h"
#include "runner/data/source/field.h"
#include "runner/data/transforms/draw.h"

namespace knead::data {

/// Holds one field of one sample between two transforms.
struct Value {
  Field field;
  std::vector<float> numbers;    // if its dtype is float32
  std::vector<std::byte> bytes;  // if its dtype is another
};

/// Returns the fields that a transform names; std::nullopt if the recipe names none.
const std::optional<std::vector<std::string>>& named_fields(const recipe::Transform& transform);

/// Returns whether a transform that names no field may apply to this one.
bool may_mean(const recipe::Transform& transform, const Field& field);

/// Returns type and shape of a field after a transform. Throws knead::Error if the transform does
/// not fit the field. `where`: the transform, for messages.
Field after(const recipe::Transform& transform, const Field& field, const std::string& where);

/// Transforms a value in place; `after`: its field afterwards. Without a draw, as in evaluation, a
/// crop is taken from the middle, and other random transforms leave the values unchanged. Throws
/// knead::Error if a number does not fit, such as a class beyond the classes.
void apply(const recipe::Transform& transform, Draw* draw, Value& value, const Field& after);

}  // namespace knead::data
