#pragma once

#include <cstdint>

namespace knead::engine {

/// Represents a stream of the stand-in for a device to a library that queues work on it. A
/// cudaStream_t points to it.
struct DeviceStream {
  static constexpr std::uint64_t kMark = 0x5354524541'4d2121;

  /// Tells a stream from any other pointer.
  std::uint64_t mark = kMark;
  /// Queues work, which the device does later. Returns false, and queues nothing, if the stream
  /// does not wait for all that the device was asked for before: the work would read memory that
  /// other work still writes.
  bool (*queue)(void (*work)(void* argument), void* argument) = nullptr;
};

}  // namespace knead::engine
