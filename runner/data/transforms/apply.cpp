#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "runner/data/arrays/convert.h"
#include "runner/data/transforms/extent.h"
#include "runner/data/transforms/planes.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

std::int64_t numbers_in(const Field& field) {
  std::int64_t numbers = 1;
  for (const std::int64_t size : field.shape) numbers *= size;
  return numbers;
}

/// Returns the planes of a float32 value.
Planes planes_of(const Value& value) {
  const Field& field = value.field;
  return {value.numbers, numbers_in(field) / (height_of(field) * width_of(field)), height_of(field),
          width_of(field)};
}

const char* bytes_of(const Value& value) {
  return value.field.dtype == Dtype::float32 ? reinterpret_cast<const char*>(value.numbers.data())
                                             : reinterpret_cast<const char*>(value.bytes.data());
}

/// Converts a value to another type. Throws knead::Error if a number does not fit.
void change_type(Value& value, Dtype dtype) {
  if (value.field.dtype == dtype) return;
  const auto count = static_cast<std::size_t>(numbers_in(value.field));
  const Stored stored = stored_as(value.field.dtype);
  std::vector<float> numbers(dtype == Dtype::float32 ? count : 0);
  std::vector<std::byte> bytes(dtype == Dtype::float32 ? 0 : count * data::bytes_of(dtype));
  std::byte* out =
      dtype == Dtype::float32 ? reinterpret_cast<std::byte*>(numbers.data()) : bytes.data();
  const auto wrong = convert({stored, false, dtype}, bytes_of(value), count, out);
  if (wrong) {
    throw Error(
        fmt::format("'{}': {} does not fit {}", value.field.name,
                    number_at(stored, false, bytes_of(value) + *wrong * data::bytes_of(stored)),
                    word_of(dtype)),
        dtype == Dtype::float32 ? "transforms compute in float32: write a scale for the field"
                                : "the transform 'to' rounds nothing");
  }
  value.numbers = std::move(numbers);
  value.bytes = std::move(bytes);
  value.field.dtype = dtype;
}

void act(const recipe::Normalize& normalize, Draw*, Value& value) {
  change_type(value, Dtype::float32);
  const std::size_t channels = std::max(normalize.mean.size(), normalize.std.size());
  // Channels are the first dimension, so the numbers of each one are adjacent.
  const std::size_t each = value.numbers.size() / channels;
  for (std::size_t c = 0; c < channels; ++c) {
    const auto mean = static_cast<float>(normalize.mean[normalize.mean.size() == 1 ? 0 : c]);
    const auto deviation = static_cast<float>(normalize.std[normalize.std.size() == 1 ? 0 : c]);
    for (std::size_t i = c * each; i < (c + 1) * each; ++i)
      value.numbers[i] = (value.numbers[i] - mean) / deviation;
  }
}

// Converts first, so that a class of any type is checked to be a whole number.
void act(const recipe::OneHot& one_hot, Draw*, Value& value) {
  change_type(value, Dtype::int64);
  const auto count = value.bytes.size() / sizeof(std::int64_t);
  const auto classes = static_cast<std::size_t>(one_hot.classes);
  std::vector<float> out(count * classes);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t label = 0;
    std::memcpy(&label, value.bytes.data() + i * sizeof label, sizeof label);
    if (label < 0 || label >= one_hot.classes) {
      throw Error(fmt::format("'{}' has the class {}, one_hot {} classes", value.field.name, label,
                              one_hot.classes),
                  "classes are counted from 0");
    }
    out[i * classes + static_cast<std::size_t>(label)] = 1;
  }
  value.numbers = std::move(out);
  value.bytes.clear();
}

void act(const recipe::Crop& crop, Draw* draw, Value& value) {
  change_type(value, Dtype::float32);
  const Extent size(crop.size);
  // A crop may begin at rows + 1 and columns + 1 positions of the padded image.
  const std::int64_t rows = height_of(value.field) + 2 * crop.padding - size.height;
  const std::int64_t columns = width_of(value.field) + 2 * crop.padding - size.width;
  const bool is_random = draw && crop.at == recipe::Crop::At::random;
  const std::int64_t top = is_random ? draw->below(rows + 1) : rows / 2;
  const std::int64_t left = is_random ? draw->below(columns + 1) : columns / 2;
  value.numbers =
      cut(planes_of(value), top - crop.padding, left - crop.padding, size.height, size.width);
}

void act(const recipe::Resize& resize, Draw*, Value& value) {
  change_type(value, Dtype::float32);
  const Extent size(resize.size);
  value.numbers = scaled(planes_of(value), size.height, size.width);
}

void act(const recipe::Flip& flip, Draw* draw, Value& value) {
  change_type(value, Dtype::float32);
  if (draw && draw->uniform() < flip.probability)
    value.numbers =
        flipped(planes_of(value), flip.direction == recipe::Flip::Direction::horizontal);
}

void act(const recipe::Rotate& rotate, Draw* draw, Value& value) {
  change_type(value, Dtype::float32);
  if (draw)
    value.numbers = turned(planes_of(value), draw->uniform(-rotate.degrees, rotate.degrees), 1);
}

void act(const recipe::Rescale& rescale, Draw* draw, Value& value) {
  change_type(value, Dtype::float32);
  if (draw) {
    value.numbers =
        turned(planes_of(value), 0, draw->uniform(rescale.factor[0], rescale.factor[1]));
  }
}

void act(const recipe::Shift& shift, Draw* draw, Value& value) {
  change_type(value, Dtype::float32);
  if (!draw) return;
  const Extent most(shift.pixels);
  const std::int64_t down = draw->below(2 * most.height + 1) - most.height;
  const std::int64_t right = draw->below(2 * most.width + 1) - most.width;
  value.numbers =
      cut(planes_of(value), -down, -right, height_of(value.field), width_of(value.field));
}

void act(const recipe::Cutout& cutout, Draw* draw, Value& value) {
  change_type(value, Dtype::float32);
  if (!draw) return;
  const Extent size(cutout.size);
  const std::int64_t y = draw->below(height_of(value.field));
  const std::int64_t x = draw->below(width_of(value.field));
  value.numbers = with_hole(planes_of(value), y, x, size.height, size.width);
}

void act(const recipe::Noise& noise, Draw* draw, Value& value) {
  change_type(value, Dtype::float32);
  if (!draw) return;
  for (float& number : value.numbers) number += static_cast<float>(noise.std * draw->normal());
}

void act(const recipe::ToDtype& to, Draw*, Value& value) {
  change_type(value, dtype_named(recipe::to_string(to.dtype)));
}

}  // namespace

void apply(const recipe::Transform& transform, Draw* draw, Value& value, const Field& after) {
  std::visit([&](const auto& kind) { act(kind, draw, value); }, transform);
  value.field = after;
}

}  // namespace knead::data
