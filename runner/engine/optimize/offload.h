#pragma once

#include <filesystem>
#include <optional>

#include <ATen/core/Tensor.h>

#include "runner/engine/optimize/rule.h"
#include "runner/engine/tensor/depot.h"
#include "runner/plan/rank_memory.h"

namespace knead::engine::optimize {

/// Says where an optimizer keeps its state, if not beside its parameters.
struct OffloadPlace {
  /// A folder of a local disk; std::nullopt: host memory.
  std::optional<std::filesystem::path> folder{};
  /// Copies the parameters and gradients of each call to host memory, and the parameters back:
  /// needed if they lie on another device. Copying changes no number.
  bool copies = false;
};

/// Keeps the state of an optimizer outside of the memory of its device, and brings what one call of
/// a rule updates together. Used by one thread.
class Offload {
 public:
  /// Bytes of state after which a call takes no further parameter: what is in memory at a time,
  /// twice, since the next call's state is read ahead. A larger parameter has a call of its own.
  static constexpr std::uint64_t kCall = plan::kOffloadedAtOnce / 2;

  /// Throws knead::Error as files::ScratchMemory::in(), and if the disk has no room for
  /// `state_bytes`.
  Offload(const OffloadPlace& place, std::uint64_t state_bytes);

  /// Returns where the state is kept.
  const Depot& depot() const { return depot_; }

  /// Returns whether the host must know all numbers of an update before it is made.
  bool copies() const { return copies_; }

  /// Prepares the lists of a call. `parameters`: those of the call, which `lists` may replace by
  /// copies.
  void bring(Lists& lists, const Tensors& parameters) const;
  /// Ends a call: copies what was updated back, and lets the state go.
  void take_back(Lists& lists, const Tensors& parameters) const;
  /// Tells the system that a call follows.
  void read_ahead(const Lists& lists) const;

 private:
  Depot depot_;
  bool copies_;
};

}  // namespace knead::engine::optimize
