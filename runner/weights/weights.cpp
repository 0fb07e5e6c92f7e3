#include "runner/weights/weights.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "runner/files/digest.h"
#include "runner/files/dtypes.h"
#include "runner/weights/zip.h"
#include "schema/document/error.h"

namespace knead::weights {
namespace {

constexpr std::uint64_t kPiece = 1 << 20;  // bytes read at once for checksums

/// Passes a part of a file to `take` in pieces.
template <class Function>
void for_pieces(const files::OpenFile& file, std::uint64_t begin, std::uint64_t size,
                Function&& take) {
  std::vector<std::byte> piece(std::min(size, kPiece));
  while (size > 0) {
    const std::span<std::byte> bytes(piece.data(), std::min(size, kPiece));
    file.read(begin, bytes);
    take(std::span<const std::byte>(bytes));
    begin += bytes.size();
    size -= bytes.size();
  }
}

/// Returns whether the numbers of a tensor lie in row-major order without gaps; strides of
/// dimensions of size 1 do not matter.
bool is_row_major(const StoredTensor& tensor) {
  std::int64_t expected = 1;
  for (std::size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] != 1 && tensor.strides[i] != expected) return false;
    expected *= tensor.shape[i];
  }
  return true;
}

/// Copies numbers of `item` bytes from where the strides place them to row-major order.
class Gather {
 public:
  Gather(const StoredTensor& tensor, std::size_t item, const std::byte* from, std::byte* to)
      : tensor_(tensor), item_(item), to_(to) {
    run(0, from);
  }

 private:
  void run(std::size_t dimension, const std::byte* from) {
    if (dimension == tensor_.shape.size()) {
      std::memcpy(to_, from, item_);
      to_ += item_;
      return;
    }
    const auto stride = static_cast<std::size_t>(tensor_.strides[dimension]) * item_;
    for (std::int64_t i = 0; i < tensor_.shape[dimension]; ++i)
      run(dimension + 1, from + static_cast<std::size_t>(i) * stride);
  }

  const StoredTensor& tensor_;
  std::size_t item_;
  std::byte* to_;
};

/// Returns the bytes from the first number of a tensor to the end of its last. The tensor was
/// checked to lie within its block when the file was opened.
std::uint64_t reach(const StoredTensor& tensor, std::uint64_t item) {
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i)
    last += static_cast<std::uint64_t>((tensor.shape[i] - 1) * tensor.strides[i]);
  return (last + 1) * item;
}

/// Tells tensors of one block apart: block, offset, shape and strides.
using View =
    std::tuple<std::size_t, std::uint64_t, std::vector<std::int64_t>, std::vector<std::int64_t>>;

View view_of(const StoredTensor& tensor) {
  return {tensor.block, tensor.offset, tensor.shape, tensor.strides};
}

}  // namespace

Weights::Weights(Files files, std::vector<Block> blocks, std::vector<StoredTensor> tensors)
    : files_(std::move(files)),
      blocks_(std::move(blocks)),
      is_checked_(blocks_.size()),
      tensors_(std::move(tensors)) {}

void Weights::check_sum(std::size_t block) {
  if (is_checked_[block]) return;
  const Block& place = blocks_[block];
  if (place.crc) {
    const files::OpenFile& file = *files_[place.file];
    RunningCrc crc;
    for_pieces(file, place.begin, place.size, [&](auto bytes) { crc.add(bytes); });
    if (crc.value() != *place.crc)
      throw Error(fmt::format("{} is damaged: the bytes of {} are not those that were written",
                              file.path().string(), place.name),
                  "fetch or write it again");
  }
  is_checked_[block] = true;
}

void Weights::read_block(const Block& block, std::uint64_t offset,
                         std::span<std::byte> bytes) const {
  const auto read = [&](const Extent& extent) {
    if (offset >= extent.size) {
      offset -= extent.size;
      return;
    }
    const std::size_t size = std::min<std::uint64_t>(bytes.size(), extent.size - offset);
    files_[extent.file]->read(extent.begin + offset, bytes.first(size));
    bytes = bytes.subspan(size);
    offset = 0;
  };
  read({block.file, block.begin, block.size});
  for (const Extent& extent : block.rest) {
    if (!bytes.empty()) read(extent);
  }
}

files::TensorBytes Weights::read(const StoredTensor& tensor) {
  check_sum(tensor.block);
  const Block& block = blocks_[tensor.block];
  const files::Dtype dtype = *files::find_dtype(tensor.dtype);
  const std::uint64_t size = *files::tensor_size(dtype, tensor.shape);
  files::TensorBytes out{tensor.name, tensor.dtype, tensor.shape, files::OwnBytes(size)};
  if (size == 0) return out;
  if (is_row_major(tensor)) {
    read_block(block, tensor.offset, out.bytes);
    return out;
  }
  const std::uint64_t item = dtype.bits / 8;
  std::vector<std::byte> bytes(reach(tensor, item));
  read_block(block, tensor.offset, bytes);
  Gather(tensor, item, bytes.data(), out.bytes.data());
  return out;
}

std::string Weights::digest() const {
  files::RunningDigest digest;
  for (const auto& file : files_)
    for_pieces(*file, 0, file->size(), [&](auto bytes) { digest.add(bytes); });
  return digest.text();
}

void Weights::check_unchanged() const {
  for (const auto& file : files_) file->check_unchanged();
}

void Weights::add(Weights other) {
  std::set<std::string_view> names;
  for (const StoredTensor& tensor : tensors_) names.insert(tensor.name);
  for (StoredTensor& tensor : other.tensors_) {
    if (names.contains(tensor.name)) {
      const std::size_t file = other.blocks_[tensor.block].file;
      throw Error(fmt::format("{} and a file before it both hold '{}'",
                              other.files_[file]->path().string(), tensor.name),
                  "fetch the files again, all of them");
    }
  }
  const std::size_t first = take_files(other);
  for (StoredTensor& tensor : other.tensors_) {
    tensor.block += first;
    tensors_.push_back(std::move(tensor));
  }
}

/// The indices of files and blocks in `other` are shifted behind those that exist here.
std::size_t Weights::take_files(Weights& other) {
  const std::size_t first = blocks_.size();
  for (Block& block : other.blocks_) {
    block.file += files_.size();
    for (Extent& extent : block.rest) extent.file += files_.size();
  }
  std::move(other.files_.begin(), other.files_.end(), std::back_inserter(files_));
  std::move(other.blocks_.begin(), other.blocks_.end(), std::back_inserter(blocks_));
  is_checked_.resize(blocks_.size());
  return first;
}

void Weights::lay_over(Weights other) {
  const std::size_t first = take_files(other);
  std::map<std::string_view, View> views;  // of this object, by name of a tensor
  for (const StoredTensor& tensor : tensors_) views.emplace(tensor.name, view_of(tensor));
  // Tied weights are one view under several names, and `other` may have only one of them. So the
  // replacement is found by the view and not by the name.
  std::map<View, const StoredTensor*> instead;
  for (StoredTensor& tensor : other.tensors_) {
    tensor.block += first;
    const auto found = views.find(tensor.name);
    if (found != views.end()) instead[found->second] = &tensor;
  }
  for (StoredTensor& tensor : tensors_) {
    const auto found = instead.find(view_of(tensor));
    if (found == instead.end()) continue;
    StoredTensor taken = *found->second;
    taken.name = std::move(tensor.name);
    tensor = std::move(taken);
  }
}

std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    if (shape[i] != 0) stride *= shape[i];
  }
  return strides;
}

}  // namespace knead::weights
