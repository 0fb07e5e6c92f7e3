#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/files/open_file.h"
#include "runner/files/tensor_bytes.h"

namespace knead::weights {

/// Bytes in a file that tensors lie in, several of them perhaps.
struct Block {
  std::size_t file = 0;  // which of the files
  std::string name;      // what messages call it
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  std::optional<std::uint32_t> crc;  // CRC-32 of it, where the file says
};

/// A tensor in a file: what it is and where it lies. All of it lies within its block.
struct StoredTensor {
  std::string name;
  std::string dtype;  // a word of safetensors
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // in numbers, 0 or more each; as many as there are sizes
  std::size_t block = 0;
  std::uint64_t offset = 0;  // of its first number within the block, in bytes
};

/// The tensors of one or several files, which are read when they are asked for. One thread.
class Weights {
 public:
  using Files = std::vector<std::unique_ptr<files::OpenFile>>;
  Weights(Files files, std::vector<Block> blocks, std::vector<StoredTensor> tensors);

  /// In the order of the files; each name once.
  const std::vector<StoredTensor>& tensors() const { return tensors_; }

  /// The bytes of a tensor, row-major, under its name. Memory is taken for the shape that the file
  /// gives: compare that first. Throws knead::Error where the bytes are not those that the file's
  /// checksum tells of, or the file changes meanwhile.
  files::TensorBytes read(const StoredTensor& tensor);

  /// XXH3-128 of all bytes of the files, one after another.
  std::string digest() const;

  /// Throws knead::Error where a file was written to since it was opened.
  void check_unchanged() const;

  /// Takes the files of other weights in. Throws knead::Error where both have a tensor of one name.
  void add(Weights other);

  /// Takes the tensors that both have from `other`, under all names that they have here.
  void lay_over(Weights other);

 private:
  std::size_t take_files(Weights& other);
  void check_sum(std::size_t block);

  Files files_;
  std::vector<Block> blocks_;
  std::vector<bool> is_checked_;  // by block
  std::vector<StoredTensor> tensors_;
};

/// Opens what holds weights: a safetensors file, with the other names of tied weights that knead's
/// own have; what Python's torch.save wrote of a state dict, or of a dict with state dicts in it,
/// one of which `key` names ("model", "ema.module") where it is not clear which is meant; the index
/// of either in several files (….index.json). Which of them it is, its bytes tell. Throws
/// knead::Error that says what the file is instead, or what is wrong with it.
Weights open_weights(const std::filesystem::path& path, const std::optional<std::string>& key);

}  // namespace knead::weights
