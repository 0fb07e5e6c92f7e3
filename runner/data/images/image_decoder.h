#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/data/images/pixels.h"

namespace knead::data {

/// Decodes JPEG and PNG files to images of one size and number of channels: (channels, height,
/// width), float32 from 0 to 1. Construct it, call take_size() once, then decode() from any number
/// of threads.
class ImageDecoder {
 public:
  /// `channels`: 1 for grey, 3 for red, green, blue; images with another number are converted.
  /// `size`: the height and width in pixels to which all images are scaled, if the recipe names
  /// them.
  ImageDecoder(std::int64_t channels, const std::optional<std::vector<std::int64_t>>& size);

  /// Sets the size to that of the first image, unless the recipe names a size; all other images
  /// must then have it too. Reads only the header. `name`: the file, for messages. Throws
  /// knead::Error as image_size() does.
  void take_size(std::string_view first, const std::string& name);

  /// Returns (channels, height, width); the size is (0, 0) before take_size() if the recipe names
  /// none.
  std::vector<std::int64_t> shape() const { return {channels_, size_.height, size_.width}; }

  /// Decodes a file and writes its numbers to `destination`, which has room for the shape and needs
  /// no alignment. `file`: the content, `name`: for messages. Throws knead::Error if the file is
  /// not an image, is damaged, or has another size than the first one and is not scaled.
  void decode(std::string_view file, const std::string& name, std::byte* destination) const;

 private:
  std::int64_t channels_;
  bool is_scaled_;  // the recipe names the size
  ImageSize size_;
};

}  // namespace knead::data
