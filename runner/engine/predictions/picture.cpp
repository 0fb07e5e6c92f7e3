#include "runner/engine/predictions/picture.h"

#include <algorithm>
#include <cmath>

#include <png.h>

#include "runner/files/base64.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

constexpr std::int64_t kLeastSide = 4;
constexpr std::int64_t kMostPixels = 128;  // on a side

bool are_channels(std::int64_t size) { return size == 1 || size == 3; }

/// Returns the mean of a square of pixels.
double mean_of(const PictureShape& shape, std::span<const double> values, std::int64_t channel,
               std::int64_t y, std::int64_t x, std::int64_t side) {
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t row = y * side; row < std::min((y + 1) * side, shape.height); ++row) {
    for (std::int64_t column = x * side; column < std::min((x + 1) * side, shape.width); ++column) {
      const std::int64_t at = shape.channels_are_last
                                  ? (row * shape.width + column) * shape.channels + channel
                                  : (channel * shape.height + row) * shape.width + column;
      sum += values[static_cast<std::size_t>(at)];
      ++count;
    }
  }
  return sum / static_cast<double>(count);
}

std::string encoded(const std::vector<png_byte>& pixels, std::int64_t width, std::int64_t height,
                    std::int64_t channels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  std::vector<png_byte> file(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t size = file.size();
  if (!png_image_write_to_memory(&image, file.data(), &size, 0, pixels.data(), 0, nullptr))
    throw Error(std::string("cannot write a picture: ") + image.message);
  return files::to_base64({reinterpret_cast<const char*>(file.data()), size});
}

}  // namespace

std::optional<PictureShape> picture_in(const data::Field& field) {
  const std::vector<std::int64_t>& shape = field.shape;
  std::optional<PictureShape> found;
  if (shape.size() == 1) {
    const bool is_named = field.name.starts_with("pixel") || field.name.starts_with("image");
    const auto side = static_cast<std::int64_t>(std::lround(std::sqrt(shape[0])));
    if (is_named && side * side == shape[0]) found = {1, side, side, false};
  } else if (shape.size() == 2) {
    found = {1, shape[0], shape[1], false};
  } else if (shape.size() == 3 && are_channels(shape[0])) {
    found = {shape[0], shape[1], shape[2], false};
  } else if (shape.size() == 3 && are_channels(shape[2])) {
    found = {shape[2], shape[0], shape[1], true};
  }
  if (found && (found->height < kLeastSide || found->width < kLeastSide)) return std::nullopt;
  return found;
}

std::string png_in_base64(const PictureShape& shape, std::span<const double> values,
                          bool has_8_bits) {
  const std::int64_t side = (std::max(shape.height, shape.width) + kMostPixels - 1) / kMostPixels;
  const std::int64_t width = (shape.width + side - 1) / side;
  const std::int64_t height = (shape.height + side - 1) / side;
  double least = 0, largest = 255;
  if (!has_8_bits) {
    least = *std::min_element(values.begin(), values.end());
    largest = *std::max_element(values.begin(), values.end());
  }
  const double range = largest > least ? largest - least : 1;
  std::vector<png_byte> pixels;
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      for (std::int64_t c = 0; c < shape.channels; ++c) {
        const double light = 255 * (mean_of(shape, values, c, y, x, side) - least) / range;
        pixels.push_back(std::isfinite(light)
                             ? static_cast<png_byte>(std::lround(std::clamp(light, 0.0, 255.0)))
                             : png_byte{0});
      }
    }
  }
  return encoded(pixels, width, height, shape.channels);
}

}  // namespace knead::engine
