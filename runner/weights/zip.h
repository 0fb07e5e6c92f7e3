#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/files/file.h"
#include "runner/files/open_file.h"
#include "runner/files/zip_archive.h"

namespace knead::weights {

/// Describes a member of a zip archive and the place of its data, packed or not as its method says.
struct ZipEntry : files::ZipEntry {
  std::uint64_t begin = 0;  // offset of its bytes in the file
};

/// Reads the members of a zip archive in the order of its directory (APPNOTE.TXT of PKWARE, with
/// zip64). All of them lie within the file and have different names. Reads the directory and the
/// header of each member, not their data. Throws knead::Error with the path and the reason if the
/// archive is damaged, split or encrypted. Takes the memory of the directory from `budget`.
std::vector<ZipEntry> read_zip(const files::OpenFile& file, files::Budget& budget);

/// Describes a member to write into a zip archive.
struct ZipMember {
  std::string name;
  files::Content content;
  std::uint64_t size = 0;  // bytes of the content
  std::uint32_t crc = 0;   // CRC-32 of the content
};

/// Returns the bytes of a zip archive of stored members whose data begin at multiples of
/// `alignment` bytes, 1 to 32768. Equal members give equal bytes: the date is fixed. Members of any
/// size fit, since zip64 is always used. The data that members borrow must outlive the result.
/// Nothing is written until the content is given a sink.
files::Content zip(std::vector<ZipMember> members, std::uint64_t alignment);

/// Computes CRC-32 (as in zip, zlib's crc32) of bytes that come in pieces; the value does not
/// depend on how they are cut.
class RunningCrc {
 public:
  /// Adds bytes behind those added before.
  void add(std::span<const std::byte> bytes);
  /// Returns CRC-32 of all bytes added so far.
  std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_ = 0;
};

}  // namespace knead::weights
