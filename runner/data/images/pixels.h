#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// Holds an image in memory: (height, width, channels), 8 bits each.
struct Pixels {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;  // 1: grey; 3: red, green, blue
  std::vector<std::uint8_t> values;
};

/// Holds height and width in pixels.
struct ImageSize {
  std::int64_t height = 0;
  std::int64_t width = 0;

  bool operator==(const ImageSize&) const = default;
};

/// Reads the size from the header of a JPEG or PNG file without decoding it. `name`: the file, for
/// messages. Throws knead::Error if the file has another format or more pixels than knead decodes.
ImageSize image_size(std::string_view file, const std::string& name);

/// Decodes a JPEG or PNG file to 1 or 3 channels of 8 bits, as Pillow's convert("L") and
/// convert("RGB") do: grey is 0.299 R + 0.587 G + 0.114 B; transparency, colour profiles and the
/// orientation noted by a camera are ignored; CMYK inks become light by a product. Of 16 bits the
/// higher 8 are kept, also for grey images, in which Pillow makes white of all values above 255.
/// Throws knead::Error with the words of the decoder if the file is damaged.
Pixels decode_image(std::string_view file, std::int64_t channels, const std::string& name);

/// Scales an image bit for bit as Pillow's resize(…, BILINEAR) does up to version 12: each new
/// pixel is the average of the old pixels below it, weighted by a triangle as wide as one new
/// pixel; rows are filtered first. Pillow 13 filters columns first if the height shrinks much more
/// than the width, so that some of its values differ by one. Returns a copy if the size is the
/// same. `size` has at least one pixel.
Pixels resized(const Pixels& image, ImageSize size);

}  // namespace knead::data
