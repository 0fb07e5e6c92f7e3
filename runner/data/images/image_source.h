#pragma once

#include "recipe/images.h"
#include "runner/data/images/image_decoder.h"
#include "runner/data/images/image_list.h"
#include "runner/data/source/source.h"

namespace knead::data {

/// Decodes images while they are read. Fields: `image` (channels, height, width), float32 from 0 to
/// 1, and `label`, int64, the number of the class, unless the images have no labels. Reading labels
/// opens no file. Keeps the paths in memory, and neither files nor decoded images.
class ImageSource final : public Source {
 public:
  /// Lists the files, and reads the first one if the recipe names no size. Throws knead::Error as
  /// list_images() and image_size() do.
  explicit ImageSource(const recipe::Images& images);

  std::uint64_t rows() const override { return list_.paths.size(); }
  const std::vector<Field>& fields() const override { return fields_; }
  /// Reads and decodes each image anew. Throws knead::Error with the path if a file cannot be read,
  /// is damaged or has another size than the first.
  void read(std::size_t field, const Request& request, std::byte* destination) const override;

 private:
  ImageList list_;
  ImageDecoder decoder_;
  std::vector<Field> fields_;
};

}  // namespace knead::data
