#pragma once

#include <filesystem>
#include <memory_resource>
#include <optional>

#include <ATen/core/Tensor.h>

#include "runner/files/scratch_memory.h"

namespace knead::engine {

/// Keeps tensors outside of the memory that a rank computes with: in that of the host, or in files
/// of a folder, whose pages are in memory while they are used. Copies of it keep in the same place.
class Depot {
 public:
  /// Throws knead::Error as files::ScratchMemory::in(). std::nullopt: the memory of the host.
  explicit Depot(const std::optional<std::filesystem::path>& folder);

  /// Requires room for so many bytes. Throws knead::Error with Exit::not_usable.
  void expect_room(std::uint64_t bytes) const;

  /// Returns a tensor with the numbers of `tensor`, which lies in the depot; `tensor` itself if it
  /// is there. Throws knead::Error if the disk is full.
  at::Tensor keep(const at::Tensor& tensor) const;

  /// Removes the pages of a tensor in files from the process. Its numbers stay.
  void put_away(const at::Tensor& tensor) const;
  /// Tells the system that a tensor in files is read soon.
  void read_ahead(const at::Tensor& tensor) const;

  /// Returns the memory for copies of the tensors in checkpoints.
  std::pmr::memory_resource* memory_for_copies() const;

 private:
  files::ScratchMemory* disk_ = nullptr;  // null: host memory
};

}  // namespace knead::engine
