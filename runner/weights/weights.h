#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runner/files/open_file.h"
#include "runner/files/tensor_bytes.h"

namespace knead::weights {

/// Names a range of bytes in a file.
struct Extent {
  std::size_t file = 0;     // index of the file
  std::uint64_t begin = 0;  // offset in the file
  std::uint64_t size = 0;   // bytes
};

/// Describes a range of bytes in a file in which one or more tensors lie: a storage of torch.save,
/// or the bytes of one tensor of safetensors.
struct Block {
  std::size_t file = 0;              // index of the file
  std::string name;                  // for messages
  std::uint64_t begin = 0;           // offset in the file
  std::uint64_t size = 0;            // bytes
  std::optional<std::uint32_t> crc;  // CRC-32 of the bytes, if the file states it
  std::vector<Extent> rest{};        // what follows these bytes, if a tensor lies in several files
};

/// Describes a tensor in a file: its type, its shape and its place, which lies within its block.
/// Several tensors may share bytes, as tied weights and views do.
struct StoredTensor {
  std::string name;
  std::string dtype;  // a word of safetensors
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // in numbers, each at least 0; as many as dimensions
  std::size_t block = 0;              // index of the block
  std::uint64_t offset = 0;           // of the first number within the block, in bytes
};

/// Returns the strides of a tensor whose numbers lie row by row without gaps.
std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& shape);

/// Holds the tensors of one or several open files and reads their bytes on request. The files stay
/// open and the values on the disk, so that a file larger than memory can be read tensor by tensor.
/// Not thread-safe. Movable, not copyable.
class Weights {
 public:
  using Files = std::vector<std::unique_ptr<files::OpenFile>>;
  /// Takes the open files; `tensors` refer to `blocks` and these to `files` by index. Tensors must
  /// lie within their blocks, and these within their files: that is not checked here.
  Weights(Files files, std::vector<Block> blocks, std::vector<StoredTensor> tensors);

  /// Returns the tensors in the order of the files; every name occurs once. add() and lay_over()
  /// invalidate the reference.
  const std::vector<StoredTensor>& tensors() const { return tensors_; }

  /// Reads the bytes of a tensor in row-major order, little-endian. Allocates memory for the shape
  /// that the file states: compare the shape first. A block with a checksum is read and checked as
  /// a whole when its first tensor is read. Throws knead::Error if the bytes contradict the
  /// checksum or the file cannot be read. `tensor`: one of tensors().
  files::TensorBytes read(const StoredTensor& tensor);

  /// Returns XXH3-128 of the bytes of all files, one after another. Reads all of them.
  std::string digest() const;

  /// Throws knead::Error if a file was written to since it was opened.
  void check_unchanged() const;

  /// Adds the files and tensors of `other`. Throws knead::Error if a tensor of `other` has a name
  /// that exists already; this object is then unchanged.
  void add(Weights other);

  /// Replaces each tensor that `other` has under one of its names by that of `other`, under all
  /// names that it has here: so a tied weight stays tied. Tensors that only `other` has are left
  /// out, and other views of the same block stay.
  void lay_over(Weights other);

 private:
  /// Appends the files and blocks of `other` and returns the new index of its first block.
  std::size_t take_files(Weights& other);
  /// Fills `bytes` from an offset of a block.
  void read_block(const Block& block, std::uint64_t offset, std::span<std::byte> bytes) const;
  /// Compares a block with its CRC-32 when it is first used.
  void check_sum(std::size_t block);

  Files files_;
  std::vector<Block> blocks_;
  std::vector<bool> is_checked_;  // by block
  std::vector<StoredTensor> tensors_;
};

/// Opens a file of weights: a safetensors file, with the aliases of tied weights that knead writes;
/// a state dict that torch.save wrote, alone or within other dicts; or the index (….index.json) of
/// several such files, which must lie beside it. `key` names one of several state dicts, "model" or
/// "ema.module", and is needed only if the choice is ambiguous. The first bytes and not the name
/// tell the format. Reads headers and pickles only; Weights::read() reads values. Files may come
/// from anywhere: nothing in them is executed, and what they describe is read within one Budget.
///
/// Throws knead::Error that says what the file is instead, or what is wrong with it: a page of
/// HTML, a Git LFS pointer, a GGUF file, a tensor name of more than 1000 bytes or with control
/// characters, a name that occurs twice.
Weights open_weights(const std::filesystem::path& path, const std::optional<std::string>& key);

}  // namespace knead::weights
