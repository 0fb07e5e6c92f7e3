#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "schema/document/error.h"

namespace knead::files {

/// A member of a zip archive, as its directory tells.
struct ZipEntry {
  std::string name;
  std::uint16_t method = 0;    // 0: stored, 8: deflated
  std::uint32_t crc = 0;       // CRC-32 of the unpacked bytes
  std::uint64_t size = 0;      // of its bytes, as they lie in the file
  std::uint64_t unpacked = 0;  // after unpacking; the same where it is stored
  std::uint64_t header = 0;    // its own header, in the file
  std::uint64_t at = 0;        // its entry in the directory, in the file
};

/// What is wrong with a zip archive.
struct ZipFault {
  enum class Kind {
    too_short,         // to be one
    no_end,            // the record at the end is missing
    split,             // over several files
    no_directory_64,   // not where the end says
    directory_beyond,  // the end of the file
    too_many_entries,  // `count` of them, for a directory of `size` bytes
    no_entry,          // where one should be
    cut_extra,         // a field of an entry ends too late
    cut_extra_64,      // one with large numbers ends too early
    encrypted,
    twice,       // the name is that of another member
    not_there,   // where its directory says, the member does not begin
    two_sizes,   // of a stored one
    member_cut,  // `size` bytes of the member do not lie in the file
    cut_short    // `size` bytes of another record do not lie in it
  };

  Kind kind;
  std::uint64_t at = 0;  // in the file
  std::string member{};  // where it is about one
  std::uint64_t size = 0;
  std::uint64_t count = 0;
};

/// A zip archive (PKWARE's APPNOTE 6.3, zip64 too): its directory, and where its members lie. The
/// lengths in it are believed only as far as the file reaches.
class ZipArchive {
 public:
  /// The bytes of a place in the file, all of them.
  using Part = std::function<std::string(std::uint64_t at, std::uint64_t size)>;
  /// What is thrown, in the words of who reads the archive.
  using Words = std::function<Error(const ZipFault&)>;

  /// Reads the directory of a file of so many bytes. All names in it are different.
  ZipArchive(std::uint64_t size, Part part, Words words);

  /// In the order of the directory.
  const std::vector<ZipEntry>& entries() const { return entries_; }

  /// Where the bytes of a member begin. All lie in the file; a stored one has one size.
  std::uint64_t begin_of(const ZipEntry& entry) const;

 private:
  struct Directory;

  [[noreturn]] void refuse(const ZipFault& fault) const { throw words_(fault); }
  std::string part(std::uint64_t at, std::uint64_t size) const;
  std::uint64_t find_end() const;
  Directory find_directory() const;
  ZipEntry read_entry(const std::string& directory, std::uint64_t begin, std::size_t& at) const;
  void read_64(const std::string& extra, ZipEntry& entry) const;

  std::uint64_t size_;
  Part part_;
  Words words_;
  std::vector<ZipEntry> entries_;
};

}  // namespace knead::files
