#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runner/files/mapped_file.h"

namespace knead::data {

/// A file inside a zip archive, as the central directory tells of it.
struct ZipEntry {
  std::string name;
  bool is_deflated = false;  // else stored
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t header = 0;  // of its own header, in bytes from the beginning of the archive
};

/// The files of an archive (zip64 too), in the order of the directory; names are as they stand
/// there. Throws knead::Error with the byte of what is wrong: no archive, one that is cut short or
/// split, an entry that is encrypted or packed in another way, names that are there twice.
std::vector<ZipEntry> read_zip(std::string_view archive, const std::string& name);

/// What an entry holds: a view of a stored one, else unpacked memory. Checks size and CRC-32.
files::Bytes read_entry(const files::Bytes& archive, const ZipEntry& entry,
                        const std::string& name);

}  // namespace knead::data
