#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "runner/files/scratch_memory.h"

namespace knead::engine {

/// Bounds the memory of tensors that are needed for a while only, such as the parameters of a model
/// before ranks divide them: what make() makes lies in files without names. While the object lives,
/// operators of this thread that touch more than kAtOnce bytes send the pages of these tensors out
/// of the process; the next access brings them back, so that no number changes. Tensors may outlive
/// it. A thread has one at a time.
class ScratchTensors {
 public:
  /// Bytes that operators touch before pages are sent away.
  static constexpr std::uint64_t kAtOnce = 32'000'000;

  /// Borrows the memory for ever.
  explicit ScratchTensors(files::ScratchMemory& memory);
  ~ScratchTensors();
  ScratchTensors(const ScratchTensors&) = delete;
  ScratchTensors& operator=(const ScratchTensors&) = delete;

  /// Calls `work`. Each tensor that it makes on this thread lies in a file, if it has at least
  /// files::ScratchMemory::kLeast bytes and the disk has twice the room.
  void make(const std::function<void()>& work);

  /// Moves all tensors in files into ordinary memory, where they stay. Throws knead::Error if there
  /// is not so much.
  static void move_to_memory();

  /// Sends the pages of all tensors in files away. Operators do it by themselves; code that copies
  /// bytes does not.
  static void put_away();

 private:
  struct Watching;
  std::unique_ptr<Watching> watching_;
};

}  // namespace knead::engine
