#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "runner/weights/pickle.h"
#include "runner/weights/weights.h"

namespace knead::weights {

/// What a pickled tensor says of the memory it lies in.
struct PickledStorage {
  std::string dtype;          // a word of safetensors; empty for bytes of no type
  std::string key;            // which of the file's storages
  std::uint64_t numbers = 0;  // how long it is, in numbers of its type or in bytes
};

/// Gives the number of the block for a storage, and its bytes; throws std::invalid_argument where
/// the file has none like it.
using FindBlock = std::function<std::pair<std::size_t, std::uint64_t>(const PickledStorage&)>;

/// Whether a value would be a tensor in Python, of whatever kind.
bool is_pickled_tensor(const PickledValue& value);

/// The type that an object would have, for messages: "torch._utils _rebuild_sparse_tensor".
std::string pickled_type(const PickledValue& value);

/// A tensor of numbers in rows and columns, a parameter too, which lies within its storage. Throws
/// std::invalid_argument with why it is none of these: "is a sparse tensor".
StoredTensor read_pickled_tensor(const PickledValue& value, const FindBlock& find_block);

/// Whether it is a single number.
bool is_single(const PickledValue& tensor);

}  // namespace knead::weights
