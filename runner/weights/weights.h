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

/// Describes a range of bytes in a file in which one or more tensors lie.
struct Block {
  std::size_t file = 0;              // index of the file
  std::string name;                  // for messages
  std::uint64_t begin = 0;           // offset in the file
  std::uint64_t size = 0;            // bytes
  std::optional<std::uint32_t> crc;  // CRC-32 of the bytes, if the file states it
};

/// Describes a tensor in a file: its type, its shape and its place, which lies within its block.
struct StoredTensor {
  std::string name;
  std::string dtype;  // a word of safetensors
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // in numbers, each at least 0; as many as dimensions
  std::size_t block = 0;              // index of the block
  std::uint64_t offset = 0;           // of the first number within the block, in bytes
};

/// Holds the tensors of one or several open files and reads their bytes on request. Not
/// thread-safe.
class Weights {
 public:
  using Files = std::vector<std::unique_ptr<files::OpenFile>>;
  /// Takes the open files; `tensors` refer to `blocks` and these to `files` by index.
  Weights(Files files, std::vector<Block> blocks, std::vector<StoredTensor> tensors);

  /// Returns the tensors in the order of the files; every name occurs once.
  const std::vector<StoredTensor>& tensors() const { return tensors_; }

  /// Reads the bytes of a tensor in row-major order. Allocates memory for the shape that the file
  /// states: compare the shape first. Throws knead::Error if the bytes contradict the checksum of
  /// their block or the file cannot be read.
  files::TensorBytes read(const StoredTensor& tensor);

  /// Returns XXH3-128 of the bytes of all files, one after another.
  std::string digest() const;

  /// Throws knead::Error if a file was written to since it was opened.
  void check_unchanged() const;

  /// Adds the files and tensors of `other`. Throws knead::Error if a tensor of `other` has a name
  /// that exists already.
  void add(Weights other);

  /// Replaces each tensor that `other` has under one of its names by that of `other`, under all
  /// names that it has here. Other views of the same block stay.
  void lay_over(Weights other);

 private:
  /// Appends the files and blocks of `other` and returns the new index of its first block.
  std::size_t take_files(Weights& other);
  /// Compares a block with its CRC-32 when it is first used.
  void check_sum(std::size_t block);

  Files files_;
  std::vector<Block> blocks_;
  std::vector<bool> is_checked_;  // by block
  std::vector<StoredTensor> tensors_;
};

/// Opens a file of weights: a safetensors file, with the aliases of tied weights that knead writes;
/// a state dict that torch.save wrote, alone or within other dicts; or the index (….index.json) of
/// several such files. `key` names one of several state dicts, "model" or "ema.module", and is
/// needed only if the choice is ambiguous. Recognises the format by the first bytes. Throws
/// knead::Error that says what the file is instead, or what is wrong with it.
Weights open_weights(const std::filesystem::path& path, const std::optional<std::string>& key);

}  // namespace knead::weights
