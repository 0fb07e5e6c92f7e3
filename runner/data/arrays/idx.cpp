#include "runner/data/arrays/idx.h"

#include <optional>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::data {
namespace {

std::optional<Stored> type_of(unsigned char code) {
  switch (code) {
    case 0x08: return Stored::uint8;
    case 0x09: return Stored::int8;
    case 0x0B: return Stored::int16;
    case 0x0C: return Stored::int32;
    case 0x0D: return Stored::float32;
    case 0x0E: return Stored::float64;
    default: return std::nullopt;
  }
}

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw Error(fmt::format("{}: {}", name, what),
              "an idx file begins with 0, 0, the type and the number of dimensions");
}

/// Reads a big-endian number of 4 bytes.
std::int64_t size_at(std::string_view bytes, std::size_t at) {
  std::int64_t size = 0;
  // Sizes are unsigned in the format, so none becomes negative in 64 bits.
  for (std::size_t i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(bytes[at + i]);
  return size;
}

}  // namespace

StoredArray read_idx_header(std::string_view beginning, const std::string& name) {
  if (beginning.size() < 4) refuse(name, fmt::format("cut short at byte {}", beginning.size()));
  if (beginning[0] != 0 || beginning[1] != 0) refuse(name, "no idx file, bytes 0 and 1 are not 0");
  const auto type = type_of(static_cast<unsigned char>(beginning[2]));
  if (!type) {
    refuse(name, fmt::format("the type 0x{:02x} is unknown (byte 2)",
                             static_cast<unsigned char>(beginning[2])));
  }
  const std::size_t dimensions = static_cast<unsigned char>(beginning[3]);
  StoredArray array{*type, true, false, {}, 4 + 4 * dimensions};
  if (beginning.size() < array.begin) {
    refuse(name, fmt::format("the header of {} dimensions is cut short at byte {}", dimensions,
                             beginning.size()));
  }
  for (std::size_t i = 0; i < dimensions; ++i) array.shape.push_back(size_at(beginning, 4 + 4 * i));
  if (!bytes_of(array.type, array.shape))
    refuse(name, fmt::format("the shape {} is larger than any file", shape_words(array.shape)));
  return array;
}

StoredArray read_idx(std::string_view file, const std::string& name) {
  const StoredArray array = read_idx_header(file.substr(0, kLongestIdxHeader), name);
  const std::uint64_t wanted = bytes_of(array.type, array.shape).value();
  const std::uint64_t there = file.size() - array.begin;
  if (wanted != there) {
    refuse(name,
           fmt::format("{} of {} take {} bytes, {} follow the header at byte {}",
                       shape_words(array.shape), word_of(array.type), wanted, there, array.begin));
  }
  return array;
}

}  // namespace knead::data
