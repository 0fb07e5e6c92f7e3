#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// An image in memory: rows of pixels, whose channels lie side by side.
struct Pixels {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;  // 1: grey, 3: red, green, blue
  std::vector<std::uint8_t> values;
};

struct ImageSize {
  std::int64_t height = 0;
  std::int64_t width = 0;

  bool operator==(const ImageSize&) const = default;
};

/// What the header of a JPEG or PNG file says; neither is decoded. `name`: the file, for messages.
/// Throws knead::Error where it is no such file, or of more pixels than knead decodes.
ImageSize image_size(std::string_view file, const std::string& name);

/// Decodes a JPEG or PNG file to 1 or 3 channels of 8 bits, as Pillow's convert("L") and
/// convert("RGB") do: grey is 0.299 R + 0.587 G + 0.114 B, transparency and colour profiles are
/// left out, an orientation that a camera noted is not obeyed, and the inks of a printer (CMYK)
/// become light by a product. Of 16 bits the higher 8 are taken, of grey images too, of which
/// Pillow makes white where they are above 255. Throws knead::Error with what the decoder says is
/// wrong with the file.
Pixels decode_image(std::string_view file, std::int64_t channels, const std::string& name);

/// Scales an image, bit for bit as Pillow's resize(…, BILINEAR) does up to its version 12: each pixel
/// is the average of those below it, weighted by a triangle that is as wide as one new pixel; rows
/// first. Pillow 13 begins with the columns of images whose height shrinks much more than their
/// width: some of its values are one greater or less.
Pixels resized(const Pixels& image, ImageSize size);

}  // namespace knead::data
