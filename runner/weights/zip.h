#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/files/file.h"
#include "runner/files/open_file.h"
#include "runner/files/zip_archive.h"

namespace knead::weights {

/// A member of a zip archive whose place is known.
struct ZipEntry : files::ZipEntry {
  std::uint64_t begin = 0;  // of its bytes, in the file
};

/// The members of a zip archive, in the order of its directory. All lie within the file and have
/// different names. Throws Error with the path and what is wrong.
std::vector<ZipEntry> read_zip(const files::OpenFile& file);

/// A file in a zip archive that is to be written.
struct ZipMember {
  std::string name;
  files::Content content;
  std::uint64_t size = 0;  // of the content, in bytes
  std::uint32_t crc = 0;   // its CRC-32
};

/// The bytes of a zip archive of stored members; their data begin at multiples of `alignment`. The
/// same members give the same bytes. What members borrow must live as long.
files::Content zip(std::vector<ZipMember> members, std::uint64_t alignment);

/// CRC-32 of bytes that come in pieces.
class RunningCrc {
 public:
  void add(std::span<const std::byte> bytes);
  std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_ = 0;
};

}  // namespace knead::weights
