#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runner/files/file.h"
#include "runner/files/open_file.h"
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

/// Where a tensor lies in a file: bytes [begin, end).
struct SafetensorsPlace {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<SafetensorsPlace> tensors;  // in the order of their data
  Metadata metadata;
};

/// What a safetensors file holds, without its data. Throws as read_safetensors().
SafetensorsHeader read_safetensors_header(const OpenFile& file);

/// The same of a file that lies in memory, whole; its data is not looked at.
SafetensorsHeader read_safetensors_header(std::string_view file, const std::filesystem::path& path);

}  // namespace knead::files
