#include "runner/data/source/packed_format.h"

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::data {

namespace {

/// Returns a text with zero bytes.
template <std::size_t size>
constexpr std::string_view bytes(const char (&text)[size]) {
  return {text, size - 1};
}

}  // namespace

void expect_unpacked(std::string_view beginning, const std::string& file) {
  if (beginning.starts_with(bytes("\x1F\x8B\x08")))
    throw Error(fmt::format("{} is packed by gzip", file), "unpack it with gunzip");
  if (beginning.starts_with(bytes("\x28\xB5\x2F\xFD")))
    throw Error(fmt::format("{} is packed by zstd", file), "unpack it with unzstd");
  if (beginning.starts_with(bytes("PK\x03\x04")))
    throw Error(fmt::format("{} is a zip archive, as workbooks (.xlsx) and .npz are", file),
                "unpack it, or save the workbook as csv");
  // The length of its header in 8 bytes, then JSON.
  if (beginning.size() > 9 && beginning.substr(5, 5) == bytes("\0\0\0{\""))
    throw Error(fmt::format("{} is a safetensors file", file), "write type: safetensors");
}

}  // namespace knead::data
