#pragma once

#include <string>
#include <vector>

#include "recipe/transforms.h"
#include "runner/data/source/field.h"
#include "runner/data/transforms/draw.h"

namespace knead::data {

/// Holds one field of one sample between two transforms. Exactly one of `numbers` and `bytes` is in
/// use, as the type of the field says; transforms of images compute in float32.
struct Value {
  Field field;
  std::vector<float> numbers;    // if its dtype is float32
  std::vector<std::byte> bytes;  // if its dtype is another
};

/// Returns the fields that a transform names; std::nullopt if the recipe names none. The reference
/// is valid as long as the transform.
const std::optional<std::vector<std::string>>& named_fields(const recipe::Transform& transform);

/// Returns whether a transform that names no field may apply to this one. `one_hot` applies to
/// int64, `to` to any field, `normalize` and `noise` to floating-point numbers, and all others to
/// fields with height and width.
bool may_mean(const recipe::Transform& transform, const Field& field);

/// Returns type and shape of a field after a transform. The type is float32, or the one that the
/// transform `to` names. Pure; called when a set is opened, so that a misfit is found before
/// training. Throws knead::Error, with the exit code of an invalid recipe, if the transform does
/// not fit the field: not an image, a crop larger than the padded image, another number of
/// channels. `where`: the transform, for messages.
Field after(const recipe::Transform& transform, const Field& field, const std::string& where);

/// Transforms a value in place; `after`: its field afterwards, as after() returned it. `draw` is
/// null in an evaluation: a crop is then taken from the middle, and other random transforms leave
/// the values unchanged. Throws knead::Error if a number does not fit, such as a class beyond the
/// classes; the value is then unspecified.
void apply(const recipe::Transform& transform, Draw* draw, Value& value, const Field& after);

}  // namespace knead::data
