#pragma once

#include <cstddef>

// Declares the interface between the engine and its plug-in for NCCL. Only plain types cross it, so
// that the engine needs no header of NCCL or CUDA, and the plug-in none of LibTorch.

namespace knead::engine::cuda {

/// Says how far a communicator is, or how an operation was taken.
enum class NcclResult : int {
  done,
  /// NCCL still works on the call in the background: ask state() until it says otherwise.
  in_progress,
  /// Another rank ended.
  rank_lost,
  /// Anything else; reason() says what.
  failed
};

/// Names the type of the numbers that are added up.
enum class NcclType : int { half, bfloat16, float32, float64 };

inline constexpr std::size_t kNcclIdSize = 128;

/// The functions of the plug-in. None of them throws. A `communicator` is used by one thread; it
/// does not block but answers in_progress. A `stream` is a cudaStream_t of the device that was
/// current in connect(); operations run on it in order, and results are there when it has passed
/// them.
struct NcclTable {
  /// Loads libnccl.so.2, once. Returns null, or why that is not possible.
  const char* (*load)();
  /// Returns the version of the loaded library as NCCL counts it: 22809 is 2.28.9.
  int (*version)();
  /// Writes kNcclIdSize bytes that one rank makes and all ranks pass to connect().
  NcclResult (*make_id)(void* id);
  /// Begins to connect a rank to the others, on the current device.
  NcclResult (*connect)(void** communicator, int ranks, const void* id, int rank);
  /// Tells how the communicator is: in_progress also while an operation is not on its stream yet.
  NcclResult (*state)(void* communicator);
  /// Queues that `count` numbers are replaced by their sums over ranks.
  NcclResult (*sum)(void* communicator, void* numbers, std::size_t count, NcclType type,
                    void* stream);
  /// Queues that bytes are replaced by those of a rank.
  NcclResult (*copy_from)(void* communicator, int rank, void* bytes, std::size_t count,
                          void* stream);
  /// Begins to end the communicator, once all operations are complete.
  NcclResult (*finish)(void* communicator);
  /// Frees a communicator after finish() is done.
  void (*destroy)(void* communicator);
  /// Ends what is running on the device, and frees the communicator. Waits for no other rank.
  void (*abort)(void* communicator);
  /// Returns NCCL's words for the last error of a communicator; of any if it is null.
  const char* (*reason)(void* communicator);
};

/// The name of the one function of the plug-in, a NcclTableFunction.
inline constexpr const char* kNcclTableFunction = "knead_nccl_table";
using NcclTableFunction = const NcclTable*();

}  // namespace knead::engine::cuda
