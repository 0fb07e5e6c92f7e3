#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "runner/checkpoint/join.h"
#include "runner/checkpoint/manifest.h"
#include "runner/files/open_file.h"

namespace knead::checkpoint {

/// Reads tensors of a checkpoint from its files, whole or in part, whether one process or several
/// ranks have saved it. Keeps the files open and nothing else in memory. Does not compare digests:
/// read_checkpoint() or check_files() has done so. Not thread-safe.
class TensorReader {
 public:
  /// Opens the tensor files that the manifest names. Throws Damaged as join(), and Error if a file
  /// cannot be read.
  TensorReader(const std::filesystem::path& folder, const Manifest& manifest);

  /// Returns the tensors of "model.safetensors" or of another file, as one process would have saved
  /// them; none if the checkpoint has no such file.
  const std::vector<JoinedTensor>& tensors(const std::string& file) const;

  /// Returns the words that such a file has beside its tensors; none if there is no such file.
  const files::Metadata& metadata(const std::string& file) const;

  /// Reads all numbers of a tensor that tensors() returned. Throws Error if a file cannot be read,
  /// and Damaged if copies differ.
  files::TensorBytes read(const JoinedTensor& tensor) const;

  /// Reads `count` numbers of a tensor from `begin` on, in row-major order; the shape is (count).
  /// The tensor must have them. Throws as the other read().
  files::TensorBytes read(const JoinedTensor& tensor, std::int64_t begin, std::int64_t count) const;

 private:
  struct Part {
    std::uint64_t place;
    std::uint64_t size;  // bytes
  };

  /// Returns a file in its plain form, empty if the checkpoint does not have it.
  const JoinedFile& joined(const std::string& file) const;
  /// Returns where the numbers of a stretch that are within [begin, end) lie in its file.
  Part part_of(const Stretch& stretch, std::int64_t begin, std::int64_t end) const;

  std::vector<files::OpenFile> open_;
  std::vector<FileHeader> headers_;
  std::vector<JoinedFile> joined_;
};

}  // namespace knead::checkpoint
