#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/data/images/pixels.h"

namespace knead::data {

/// Makes images of one size and number of channels out of JPEG and PNG files: (channels, height,
/// width), float32 from 0 to 1.
class ImageDecoder {
 public:
  /// `size`: the height and width that a recipe names, to which all are scaled.
  ImageDecoder(std::int64_t channels, const std::optional<std::vector<std::int64_t>>& size);

  /// Without a size in the recipe, all images must have that of the first.
  void take_size(std::string_view first, const std::string& name);

  std::vector<std::int64_t> shape() const { return {channels_, size_.height, size_.width}; }

  /// Throws knead::Error for a file that is no image, or one of another size.
  void decode(std::string_view file, const std::string& name, std::byte* destination) const;

 private:
  std::int64_t channels_;
  bool is_scaled_;
  ImageSize size_;
};

}  // namespace knead::data
