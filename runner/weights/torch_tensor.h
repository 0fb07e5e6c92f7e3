#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "runner/weights/pickle.h"
#include "runner/weights/weights.h"

namespace knead::weights {

/// Describes the storage of a pickled tensor.
struct PickledStorage {
  std::string dtype;          // a word of safetensors; empty for an untyped storage
  std::string key;            // name of the storage in the file
  std::uint64_t numbers = 0;  // length in numbers of its type, or in bytes if untyped
};

/// Returns the index and the size in bytes of the block that holds a storage. Throws
/// std::invalid_argument if the file has no such storage.
using FindBlock = std::function<std::pair<std::size_t, std::uint64_t>(const PickledStorage&)>;

/// Returns whether Python would make a tensor of any kind from a value.
bool is_pickled_tensor(const PickledValue& value);

/// Returns the global that makes an object, for messages: "torch._utils _rebuild_sparse_tensor"; an
/// empty string for other values.
std::string pickled_type(const PickledValue& value);

/// Reads a dense tensor or parameter that lies within its storage; leaves its name empty. Throws
/// std::invalid_argument with the reason for any other value: "is a sparse tensor".
StoredTensor read_pickled_tensor(const PickledValue& value, const FindBlock& find_block);

/// Returns whether a tensor has no dimensions; false if it cannot be read.
bool is_single(const PickledValue& tensor);

}  // namespace knead::weights
