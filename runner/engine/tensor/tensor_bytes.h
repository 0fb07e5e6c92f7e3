#pragma once

#include <memory_resource>
#include <string>

#include "runner/checkpoint/snapshot.h"
#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine {

/// Returns the word of the safetensors format for a dtype: "F32" for float32, "BF16" for bfloat16.
/// The text is static. Throws knead::Error, which names the tensor `name`, for a dtype without a
/// word here, such as complex128.
const char* dtype_word(at::ScalarType type, const std::string& name);

/// Copies a tensor into host memory, row by row as files hold it, whatever its strides and its
/// device; waits for the device. If `digest` is not null, adds the bytes to it before they are
/// copied; `file` is the part of the snapshot that will hold the tensor, and unused without a
/// digest. The copy lies in `memory`, which must outlive it. Throws knead::Error as dtype_word().
files::TensorBytes copy_bytes(const NamedTensor& tensor, const std::string& file,
                              checkpoint::TensorDigest* digest,
                              std::pmr::memory_resource* memory = std::pmr::get_default_resource());

/// Adds the bytes of a tensor to a digest as copy_bytes() does, and copies nothing. `memory`: that
/// of the copies that are made of it.
void digest_bytes(const NamedTensor& tensor, const std::string& file,
                  checkpoint::TensorDigest& digest, std::pmr::memory_resource* memory);

/// Copies a saved tensor into `tensor` in place, on whatever device, without recording gradients.
/// Throws knead::Error, which names the tensor, if their shapes or dtypes differ; `tensor` is
/// unchanged then.
void copy_into(const at::Tensor& tensor, const files::TensorBytes& saved);

/// Returns a new tensor in host memory with the shape, dtype and bytes of a saved one.
/// `saved.bytes` must have the size that shape and dtype require; this is not checked. Throws
/// knead::Error for a dtype that this version does not read.
at::Tensor to_tensor(const files::TensorBytes& saved);

}  // namespace knead::engine
