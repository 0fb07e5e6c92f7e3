#pragma once

#include <string>

#include "runner/checkpoint/snapshot.h"
#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine {

/// The word of safetensors for a type: "F32". Throws knead::Error, naming the tensor, where it has
/// none.
const char* dtype_word(at::ScalarType type, const std::string& name);

/// A copy of a tensor in host memory, as files hold it. With `digest`, the live bytes are digested
/// while they are copied; `file` is the part of the snapshot that it will lie in.
files::TensorBytes copy_bytes(const NamedTensor& tensor, const std::string& file,
                              checkpoint::TensorDigest* digest);

/// Copies what a file holds into a tensor of the same shape and type. Throws knead::Error where
/// they differ.
void copy_into(const at::Tensor& tensor, const files::TensorBytes& saved);

/// A new tensor of what a file holds.
at::Tensor to_tensor(const files::TensorBytes& saved);

}  // namespace knead::engine
