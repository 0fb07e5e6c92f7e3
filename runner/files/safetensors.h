#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runner/files/file.h"
#include "runner/files/tensor_bytes.h"

namespace knead::files {

struct Safetensors {
  std::vector<TensorBytes> tensors;  // in the order of the file
  Metadata metadata;
};

/// The bytes of a safetensors file, to be given to write_new() or publish(). In the order of the
/// reference writer and with sorted metadata, so that equal tensors make equal files, whatever
/// order they come in. Borrows its arguments; tensors are not copied. Throws std::invalid_argument
/// for what no such file can hold: an unknown dtype, bytes that do not fit the shape, a name twice.
Content safetensors(const std::vector<TensorBytes>& tensors, const Metadata& metadata);

/// The size of that file in bytes.
std::uint64_t safetensors_size(const std::vector<TensorBytes>& tensors, const Metadata& metadata);

/// Reads a whole safetensors file. Throws Error with the path and what is wrong for anything the
/// format does not allow; never allocates more than the file holds.
Safetensors read_safetensors(InputFile& in, const std::filesystem::path& path);

/// A tensor as the header tells of it.
struct TensorPlace {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  // of its bytes in the file
  std::uint64_t end = 0;
};

/// The tensors of a file in the order of their data, with the same checks; `file` is all of it, of
/// which the values are not looked at.
std::vector<TensorPlace> read_safetensors_places(std::string_view file,
                                                 const std::filesystem::path& path);

}  // namespace knead::files
