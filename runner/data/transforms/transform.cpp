#include "runner/data/transforms/transform.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/data/arrays/stored.h"
#include "runner/data/transforms/extent.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

bool is_image(const Field& field) { return field.shape.size() >= 2; }

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw Error(fmt::format("{}: {}", where, why), "", Exit::invalid_recipe);
}

Field resized_to(Field field, Extent size) {
  field.dtype = Dtype::float32;
  field.shape[field.shape.size() - 2] = size.height;
  field.shape.back() = size.width;
  return field;
}

Field makes(const recipe::Normalize& normalize, Field field, const std::string& where) {
  const std::size_t channels = std::max(normalize.mean.size(), normalize.std.size());
  const bool fits = channels == 1 ||
                    (!field.shape.empty() && static_cast<std::size_t>(field.shape[0]) == channels);
  if (!fits) {
    refuse(where, fmt::format("{} channels are normalized, '{}' is {}", channels, field.name,
                              shape_words(field.shape)));
  }
  field.dtype = Dtype::float32;
  return field;
}

Field makes(const recipe::OneHot& one_hot, Field field, const std::string&) {
  field.shape.push_back(one_hot.classes);
  field.dtype = Dtype::float32;
  return field;
}

Field makes(const recipe::ToDtype& to, Field field, const std::string&) {
  field.dtype = dtype_named(recipe::to_string(to.dtype));
  return field;
}

Field makes(const recipe::Noise&, Field field, const std::string&) {
  field.dtype = Dtype::float32;
  return field;
}

Field makes(const recipe::Crop& crop, const Field& field, const std::string& where) {
  const Extent size(crop.size);
  if (size.height > height_of(field) + 2 * crop.padding ||
      size.width > width_of(field) + 2 * crop.padding) {
    refuse(where, fmt::format("{} × {} is larger than '{}', {} × {} with its padding", size.height,
                              size.width, field.name, height_of(field) + 2 * crop.padding,
                              width_of(field) + 2 * crop.padding));
  }
  return resized_to(field, size);
}

Field makes(const recipe::Resize& resize, const Field& field, const std::string&) {
  return resized_to(field, Extent(resize.size));
}

/// Other transforms keep the shape of an image and compute in float32.
template <class Other>
Field makes(const Other&, Field field, const std::string&) {
  field.dtype = Dtype::float32;
  return field;
}

/// Returns whether a transform applies only to fields with height and width.
bool needs_image(const recipe::Transform& transform) {
  return std::visit(
      Overloaded{[](const recipe::Normalize&) { return false; },
                 [](const recipe::OneHot&) { return false; },
                 [](const recipe::Noise&) { return false; },
                 [](const recipe::ToDtype&) { return false; }, [](const auto&) { return true; }},
      transform);
}

bool is_floating(Dtype dtype) { return dtype >= Dtype::float16; }

}  // namespace

const std::optional<std::vector<std::string>>& named_fields(const recipe::Transform& transform) {
  return std::visit(
      [](const auto& kind) -> const std::optional<std::vector<std::string>>& { return kind.field; },
      transform);
}

bool may_mean(const recipe::Transform& transform, const Field& field) {
  if (needs_image(transform)) return is_image(field);
  if (std::holds_alternative<recipe::OneHot>(transform)) return field.dtype == Dtype::int64;
  return std::holds_alternative<recipe::ToDtype>(transform) || is_floating(field.dtype);
}

Field after(const recipe::Transform& transform, const Field& field, const std::string& where) {
  if (needs_image(transform) && !is_image(field)) {
    refuse(where, fmt::format("'{}' is no image, but {}", field.name,
                              field.shape.empty() ? "one number" : shape_words(field.shape)));
  }
  return std::visit([&](const auto& kind) { return makes(kind, field, where); }, transform);
}

}  // namespace knead::data
