#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/files/file.h"
#include "runner/files/open_file.h"
#include "runner/files/zip_archive.h"

namespace knead::weights {

/// Describes a member of a zip archive and the place of its data.
struct ZipEntry : files::ZipEntry {
  std::uint64_t begin = 0;  // offset of its bytes in the file
};

/// Reads the members of a zip archive in the order of its directory. All of them lie within the
/// file and have different names. Throws Error with the path and the reason if the archive is
/// damaged.
std::vector<ZipEntry> read_zip(const files::OpenFile& file);

/// Describes a member to write into a zip archive.
struct ZipMember {
  std::string name;
  files::Content content;
  std::uint64_t size = 0;  // bytes of the content
  std::uint32_t crc = 0;   // CRC-32 of the content
};

/// Returns the bytes of a zip archive of stored members whose data begin at multiples of
/// `alignment`. Equal members give equal bytes. The data that members borrow must outlive the
/// result.
files::Content zip(std::vector<ZipMember> members, std::uint64_t alignment);

/// Computes CRC-32 of bytes that come in pieces.
class RunningCrc {
 public:
  void add(std::span<const std::byte> bytes);
  /// Returns CRC-32 of all bytes added so far.
  std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_ = 0;
};

}  // namespace knead::weights
