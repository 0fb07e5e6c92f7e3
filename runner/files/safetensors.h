#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runner/files/budget.h"
#include "runner/files/file.h"
#include "runner/files/open_file.h"
#include "runner/files/tensor_bytes.h"
#include "runner/files/tensor_content.h"

namespace knead::files {

/// Holds the content of a safetensors file in memory.
struct Safetensors {
  std::vector<TensorBytes> tensors;  // in the order of the file
  Metadata metadata;
};

/// Returns the bytes of a safetensors file for write_new() or publish(). Writes tensors in the
/// order of the reference writer and metadata sorted by key, so that equal tensors give equal files
/// in whatever order they are passed. Borrows the tensors, which must outlive the content, and does
/// not copy them.
///
/// Throws std::invalid_argument for an unknown dtype, for bytes that do not fit the shape, and for
/// a duplicate name or the name `__metadata__`; these are mistakes of the program. Throws
/// nlohmann::json::type_error if a name or a text of the metadata is not UTF-8.
Content safetensors(const std::vector<TensorBytes>& tensors, const Metadata& metadata);

/// Returns the bytes of a safetensors file as the other function does. Asks each tensor for its
/// bytes when they are due; it must give as many as it says.
Content safetensors(std::vector<TensorContent> tensors, const Metadata& metadata);

/// Returns the size in bytes of the file that safetensors() writes. Throws as safetensors() does.
std::uint64_t safetensors_size(const std::vector<TensorBytes>& tensors, const Metadata& metadata);

/// Reads a whole safetensors file. Throws Error with the path and the reason for anything that the
/// format does not allow; never allocates more than the size of the file. Also refused are
/// duplicate names, gaps and overlaps of the data, and a header beyond the 100 MB of the reference
/// reader. Throws FileError if a read fails.
///
/// `in` is at its beginning; afterwards in.finish() gives the digest of the file. `path` is for
/// messages.
Safetensors read_safetensors(InputFile& in, const std::filesystem::path& path);

/// Describes a tensor in a file whose data are the bytes [begin, end). The shape fits their number,
/// and the dtype is one that find_dtype() knows.
struct SafetensorsPlace {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  // offset in the file
  std::uint64_t end = 0;
};

/// Holds the header of a safetensors file.
struct SafetensorsHeader {
  std::vector<SafetensorsPlace> tensors;  // in the order of their data
  Metadata metadata;
};

/// Reads the header of a safetensors file, but not its data. Throws as read_safetensors() does. It
/// has checked that the data fill the file exactly, so begin and end of each tensor are within it.
SafetensorsHeader read_safetensors_header(const OpenFile& file);
/// Reads a header as the function above does, and takes its memory from `budget`; a tensor takes
/// some 1,500 bytes while the header is read.
SafetensorsHeader read_safetensors_header(const OpenFile& file, Budget& budget);

/// Reads the header of a safetensors file whose bytes are in memory. `path` is for messages. The
/// result owns its texts and does not refer to `file`. Throws as read_safetensors() does.
SafetensorsHeader read_safetensors_header(std::string_view file, const std::filesystem::path& path);

}  // namespace knead::files
