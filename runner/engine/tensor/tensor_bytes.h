#pragma once

#include <string>

#include "runner/checkpoint/snapshot.h"
#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine {

/// Returns the word of the safetensors format for a dtype: "F32". Throws knead::Error, which names
/// the tensor `name`, if there is no such word.
const char* dtype_word(at::ScalarType type, const std::string& name);

/// Copies a tensor into host memory, row by row as files hold it. If `digest` is not null, adds the
/// bytes to it before they are copied; `file` is the part of the snapshot that will hold the
/// tensor.
files::TensorBytes copy_bytes(const NamedTensor& tensor, const std::string& file,
                              checkpoint::TensorDigest* digest);

/// Copies a saved tensor into `tensor` in place, without recording gradients. Throws knead::Error
/// if their shapes or dtypes differ.
void copy_into(const at::Tensor& tensor, const files::TensorBytes& saved);

/// Returns a new tensor in host memory with the shape, dtype and bytes of a saved one. Throws
/// knead::Error for a dtype that this version does not read.
at::Tensor to_tensor(const files::TensorBytes& saved);

}  // namespace knead::engine
