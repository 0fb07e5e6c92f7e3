#include "runner/checkpoint/tensor_reader.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/checkpoint/pieces.h"

namespace knead::checkpoint {

TensorReader::TensorReader(const std::filesystem::path& folder, const Manifest& manifest) {
  files::expect_open_files(manifest.files.size());
  for (const auto& [file, facts] : manifest.files) {
    if (!is_tensor_file(file)) continue;
    const files::OpenFile& open = open_.emplace_back(folder / file);
    headers_.push_back({file, files::read_safetensors_header(open)});
  }
  joined_ = join(headers_);
}

const JoinedFile& TensorReader::joined(const std::string& file) const {
  static const JoinedFile none;
  const auto found = std::find_if(joined_.begin(), joined_.end(),
                                  [&](const JoinedFile& each) { return each.file == file; });
  return found == joined_.end() ? none : *found;
}

const std::vector<JoinedTensor>& TensorReader::tensors(const std::string& file) const {
  return joined(file).tensors;
}

const files::Metadata& TensorReader::metadata(const std::string& file) const {
  return joined(file).metadata;
}

files::TensorBytes TensorReader::read(const JoinedTensor& tensor) const {
  files::TensorBytes out = read(tensor, 0, numbers_of(tensor.shape));
  out.shape = tensor.shape;
  for (const Stretch& copy : tensor.copies) {
    const Part part = part_of(copy, 0, copy.count);
    files::OwnBytes bytes(part.size);
    open_[copy.file].read(part.place, std::span(bytes));
    if (bytes != out.bytes)
      throw Damaged(fmt::format("{} has another '{}' than {}", headers_[copy.file].file,
                                tensor.name, headers_[tensor.stretches.front().file].file));
  }
  return out;
}

files::TensorBytes TensorReader::read(const JoinedTensor& tensor, std::int64_t begin,
                                      std::int64_t count) const {
  assert(begin >= 0 && count >= 0 && begin + count <= numbers_of(tensor.shape));
  std::uint64_t size = 0;
  for (const Stretch& stretch : tensor.stretches)
    size += part_of(stretch, begin, begin + count).size;
  files::TensorBytes out{tensor.name, tensor.dtype, {count}, files::OwnBytes(size)};
  std::span<std::byte> rest(out.bytes);
  for (const Stretch& stretch : tensor.stretches) {
    const Part part = part_of(stretch, begin, begin + count);
    open_[stretch.file].read(part.place, rest.first(part.size));
    rest = rest.subspan(part.size);
  }
  return out;
}

TensorReader::Part TensorReader::part_of(const Stretch& stretch, std::int64_t begin,
                                         std::int64_t end) const {
  const std::int64_t first = std::max(begin, stretch.begin);
  const std::int64_t last = std::min(end, stretch.begin + stretch.count);
  const files::SafetensorsPlace& place = headers_[stretch.file].header.tensors[stretch.tensor];
  if (first >= last) return {place.begin, 0};
  const std::uint64_t width = (place.end - place.begin) / static_cast<std::uint64_t>(stretch.count);
  return {place.begin + static_cast<std::uint64_t>(first - stretch.begin) * width,
          static_cast<std::uint64_t>(last - first) * width};
}

}  // namespace knead::checkpoint
