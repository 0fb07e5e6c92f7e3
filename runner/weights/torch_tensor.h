#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runner/weights/pickle.h"
#include "runner/weights/weights.h"

namespace knead::weights {

/// Describes the storage of a pickled tensor, as its persistent id does: ("storage", type, key,
/// device, length). The device is ignored.
struct PickledStorage {
  std::string dtype;          // a word of safetensors; empty for an untyped storage
  std::string key;            // name of the storage in the file
  std::uint64_t numbers = 0;  // length in numbers of its type, or in bytes if untyped
};

/// Returns the index and the size in bytes of the block that holds a storage. Throws
/// std::invalid_argument if the file has no such storage or one of another size.
using FindBlock = std::function<std::pair<std::size_t, std::uint64_t>(const PickledStorage&)>;

/// Returns whether Python would make a tensor of any kind from a value, also of a kind that
/// read_pickled_tensor() refuses.
bool is_pickled_tensor(const PickledValue& value);

/// Returns the global that makes an object, for messages: "torch._utils _rebuild_sparse_tensor"; an
/// empty text for other values. Borrows the pickle's text.
std::string_view pickled_type(const PickledValue& value);

/// Reads a dense tensor or parameter that lies within its storage; leaves its name empty. Reads no
/// values. Throws std::invalid_argument with the reason for any other value: "is a sparse tensor".
/// The reason continues a sentence that begins with the tensor's name.
StoredTensor read_pickled_tensor(const PickledValue& value, const FindBlock& find_block);

/// Returns whether a tensor has no dimensions, as counters have; false if it cannot be read.
bool is_single(const PickledValue& tensor);

}  // namespace knead::weights
