#include "runner/data/images/image_decoder.h"

#include <cstring>

#include <fmt/format.h>

#include "runner/trace/watch.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

/// Writes pixels as one plane per channel, scaled from 0…255 to 0…1.
void write_planes(const Pixels& pixels, std::byte* destination) {
  const auto channels = static_cast<std::size_t>(pixels.channels);
  const std::size_t plane = pixels.values.size() / channels;
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = 0; i < plane; ++i) {
      // Divides as torchvision's ToTensor does, so that models see equal numbers.
      const float value = static_cast<float>(pixels.values[i * channels + c]) / 255.0F;
      std::memcpy(destination + (c * plane + i) * sizeof value, &value, sizeof value);
    }
  }
}

}  // namespace

ImageDecoder::ImageDecoder(std::int64_t channels,
                           const std::optional<std::vector<std::int64_t>>& size)
    : channels_(channels), is_scaled_(size.has_value()) {
  if (size) size_ = {size->at(0), size->at(1)};
}

void ImageDecoder::take_size(std::string_view first, const std::string& name) {
  if (!is_scaled_) size_ = image_size(first, name);
}

void ImageDecoder::decode(std::string_view file, const std::string& name,
                          std::byte* destination) const {
  const trace::Span span("decode");
  const Pixels pixels = decode_image(file, channels_, name);
  if (is_scaled_) return write_planes(resized(pixels, size_), destination);
  if (ImageSize{pixels.height, pixels.width} != size_) {
    throw Error(fmt::format("{} has {} × {} pixels, the first image {} × {}", name, pixels.width,
                            pixels.height, size_.width, size_.height),
                "write a size, [height, width], to which all are scaled");
  }
  write_planes(pixels, destination);
}

}  // namespace knead::data
