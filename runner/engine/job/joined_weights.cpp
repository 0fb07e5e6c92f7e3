#include "runner/engine/job/joined_weights.h"

#include "runner/checkpoint/join.h"

namespace knead::engine {
namespace {

using checkpoint::FileHeader;
using checkpoint::Stretch;

/// Returns the bytes of a stretch of a tensor.
weights::Extent extent_of(const std::vector<FileHeader>& headers, const Stretch& stretch) {
  const files::SafetensorsPlace& place = headers[stretch.file].header.tensors[stretch.tensor];
  return {stretch.file, place.begin, place.end - place.begin};
}

weights::Block block_of(const std::vector<FileHeader>& headers,
                        const checkpoint::JoinedTensor& tensor) {
  const weights::Extent first = extent_of(headers, tensor.stretches.front());
  weights::Block block{first.file, tensor.name, first.begin, first.size, std::nullopt};
  for (std::size_t i = 1; i < tensor.stretches.size(); ++i)
    block.rest.push_back(extent_of(headers, tensor.stretches[i]));
  return block;
}

}  // namespace

weights::Weights open_joined(const std::vector<std::filesystem::path>& files) {
  if (files.size() == 1) return weights::open_weights(files.front(), std::nullopt);
  weights::Weights::Files open;
  std::vector<FileHeader> headers;
  for (const std::filesystem::path& file : files) {
    open.push_back(std::make_unique<files::OpenFile>(file));
    headers.push_back({file.filename(), files::read_safetensors_header(*open.back())});
  }
  std::vector<weights::Block> blocks;
  std::vector<weights::StoredTensor> tensors;
  for (const checkpoint::JoinedFile& joined : checkpoint::join(headers)) {
    for (const checkpoint::JoinedTensor& tensor : joined.tensors) {
      tensors.push_back({tensor.name, tensor.dtype, tensor.shape,
                         weights::row_major_strides(tensor.shape), blocks.size(), 0});
      blocks.push_back(block_of(headers, tensor));
    }
  }
  return {std::move(open), std::move(blocks), std::move(tensors)};
}

}  // namespace knead::engine
