#include <fmt/format.h>

#include "runner/data/images/formats.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

constexpr std::int64_t kMostPixels = 100'000'000;

[[noreturn]] void refuse_kind(std::string_view file, const std::string& name) {
  throw Error(file.empty() ? name + " is empty" : name + " is neither a JPEG nor a PNG file",
              "convert it, or leave it out");
}

/// Returns the grey value of a pixel in Pillow's integer arithmetic.
std::uint8_t grey(const std::uint8_t* pixel) {
  return static_cast<std::uint8_t>(
      (pixel[0] * 19595U + pixel[1] * 38470U + pixel[2] * 7471U + 0x8000U) >> 16);
}

/// Converts between 1 and 3 channels.
Pixels with_channels(Pixels image, std::int64_t channels) {
  if (image.channels == channels) return image;
  Pixels out{image.height, image.width, channels, {}};
  const std::size_t pixels = image.values.size() / static_cast<std::size_t>(image.channels);
  out.values.resize(pixels * static_cast<std::size_t>(channels));
  for (std::size_t i = 0; i < pixels; ++i) {
    if (channels == 1) {
      out.values[i] = grey(&image.values[3 * i]);
    } else {
      for (std::size_t c = 0; c < 3; ++c) out.values[3 * i + c] = image.values[i];
    }
  }
  return out;
}

}  // namespace

void check_size(ImageSize size, std::uint64_t bytes, const std::string& name) {
  constexpr std::uint64_t kFreePixels = 1 << 24;
  constexpr std::uint64_t kPixelsOfByte = 64;
  const bool is_possible =
      size.height > 0 && size.width > 0 && size.width <= kMostPixels / size.height;
  if (!is_possible)
    throw Error(
        fmt::format("{} says that it has {} × {} pixels", name, size.width, size.height),
        fmt::format("images of up to {} million pixels are decoded", kMostPixels / 1'000'000));
  if (static_cast<std::uint64_t>(size.height * size.width) <= kFreePixels + kPixelsOfByte * bytes)
    return;
  throw Error(fmt::format("{} says that it has {} × {} pixels in {} bytes", name, size.width,
                          size.height, bytes),
              fmt::format("beyond {} million pixels, a byte may stand for {}: make the image "
                          "smaller, or leave it out",
                          kFreePixels >> 20, kPixelsOfByte));
}

void refuse_image(const std::string& name, const std::string& why) {
  throw Error(fmt::format("{} cannot be decoded: {}", name, why),
              "the file is damaged: fetch it again, or leave it out");
}

ImageSize image_size(std::string_view file, const std::string& name) {
  if (is_jpeg(file)) return jpeg_size(file, name);
  if (is_png(file)) return png_size(file, name);
  refuse_kind(file, name);
}

Pixels decode_image(std::string_view file, std::int64_t channels, const std::string& name) {
  if (is_jpeg(file)) return with_channels(decode_jpeg(file, name), channels);
  if (is_png(file)) return with_channels(decode_png(file, name), channels);
  refuse_kind(file, name);
}

}  // namespace knead::data
