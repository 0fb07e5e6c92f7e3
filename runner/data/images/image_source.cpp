#include "runner/data/images/image_source.h"

#include <cstring>

#include "runner/files/read.h"
#include "runner/trace/watch.h"

namespace knead::data {
namespace {

// The span lets a profile tell slow disks from slow decoding.
std::string read_file(const std::filesystem::path& path) {
  const trace::Span span("read");
  return files::read_text(path);
}

}  // namespace

ImageSource::ImageSource(const recipe::Images& images)
    : list_(list_images(images)), decoder_(images.channels, images.size) {
  if (!images.size) {
    const std::filesystem::path first = list_.folder / list_.paths[0];
    decoder_.take_size(files::read_text(first), first.string());
  }
  fields_.push_back({"image", Dtype::float32, decoder_.shape()});
  if (!list_.labels.empty()) fields_.push_back({"label", Dtype::int64, {}});
}

void ImageSource::read(std::size_t field, const Request& request, std::byte* destination) const {
  for (const std::uint64_t row : request.rows) {
    if (field == 0) {
      const std::filesystem::path path = list_.folder / list_.paths[row];
      decoder_.decode(read_file(path), path.string(), destination);
    } else {
      std::memcpy(destination, &list_.labels[row], sizeof list_.labels[row]);
    }
    destination += fields_[field].bytes_per_sample();
  }
}

}  // namespace knead::data
