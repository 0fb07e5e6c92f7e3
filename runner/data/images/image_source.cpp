#include "runner/data/images/image_source.h"

#include <cstring>

#include <fmt/format.h>

#include "runner/files/read.h"
#include "schema/error.h"

namespace knead::data {
namespace {

/// From rows of pixels to a plane for each channel, from 0…255 to 0…1.
void write_planes(const Pixels& pixels, std::byte* destination) {
  const auto channels = static_cast<std::size_t>(pixels.channels);
  const std::size_t plane = pixels.values.size() / channels;
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = 0; i < plane; ++i) {
      const float value = static_cast<float>(pixels.values[i * channels + c]) / 255.0F;
      std::memcpy(destination + (c * plane + i) * sizeof value, &value, sizeof value);
    }
  }
}

}  // namespace

ImageSource::ImageSource(const recipe::Images& images)
    : list_(list_images(images)), channels_(images.channels), is_resized_(images.size.has_value()) {
  if (is_resized_) {
    size_ = {images.size->at(0), images.size->at(1)};
  } else {
    const std::filesystem::path first = list_.folder / list_.paths[0];
    size_ = image_size(files::read_text(first), first.string());
  }
  fields_.push_back({"image", Dtype::float32, {channels_, size_.height, size_.width}});
  if (!list_.labels.empty()) fields_.push_back({"label", Dtype::int64, {}});
}

void ImageSource::check_size(const Pixels& pixels, std::uint64_t row) const {
  if (ImageSize{pixels.height, pixels.width} == size_) return;
  throw Error(fmt::format("{} has {} × {} pixels, the first image {} × {}",
                          (list_.folder / list_.paths[row]).string(), pixels.width, pixels.height,
                          size_.width, size_.height),
              "write a size, [height, width], to which all are scaled");
}

Pixels ImageSource::decode(std::uint64_t row) const {
  const std::filesystem::path path = list_.folder / list_.paths[row];
  Pixels pixels = decode_image(files::read_text(path), channels_, path.string());
  if (is_resized_) return resized(pixels, size_);
  check_size(pixels, row);
  return pixels;
}

void ImageSource::read(std::size_t field, const Request& request, std::byte* destination) const {
  for (const std::uint64_t row : request.rows) {
    if (field == 0) {
      write_planes(decode(row), destination);
    } else {
      std::memcpy(destination, &list_.labels[row], sizeof list_.labels[row]);
    }
    destination += fields_[field].bytes_per_sample();
  }
}

}  // namespace knead::data
