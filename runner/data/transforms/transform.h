#pragma once

#include <string>
#include <vector>

#include "recipe.h"
#include "runner/data/source/field.h"
#include "runner/data/transforms/draw.h"

namespace knead::data {

/// One field of one sample, between two transforms.
struct Value {
  Field field;
  std::vector<float> numbers;    // where its dtype is float32
  std::vector<std::byte> bytes;  // where it is another
};

/// The fields that a transform names; nothing where that is left to the data.
const std::optional<std::vector<std::string>>& named_fields(const recipe::Transform& transform);

/// Whether a transform that names no field may mean this one.
bool may_mean(const recipe::Transform& transform, const Field& field);

/// What a transform makes of a field. Throws knead::Error where it does not fit; `where` says which
/// one it is.
Field after(const recipe::Transform& transform, const Field& field, const std::string& where);

/// Transforms a sample whose field it fits and becomes `after`. Without a draw, as evaluations want
/// it, a crop is taken from the middle, and what else is random leaves the sample as it is. Throws
/// knead::Error where a number cannot be what it should (a class beyond the classes).
void apply(const recipe::Transform& transform, Draw* draw, Value& value, const Field& after);

}  // namespace knead::data
