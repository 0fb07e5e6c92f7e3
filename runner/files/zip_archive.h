#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runner/files/budget.h"
#include "schema/document/error.h"

namespace knead::files {

/// Describes a member of a zip archive as the central directory lists it. Nothing is known of the
/// member itself until ZipArchive::begin_of() has looked at it. The name is in the bytes of the
/// archive and may be any path: who unpacks members to disk must check it.
struct ZipEntry {
  std::string name;
  std::uint16_t method = 0;    // 0: stored, 8: deflated
  std::uint32_t crc = 0;       // CRC-32 of the unpacked bytes
  std::uint64_t size = 0;      // bytes of the member in the file
  std::uint64_t unpacked = 0;  // bytes after unpacking; equal to `size` if the member is stored
  std::uint64_t header = 0;    // offset of its local header in the file
  std::uint64_t at = 0;        // offset of its directory entry in the file
};

/// Describes a fault of a zip archive; the reader of the archive turns it into a message. `size`
/// and `count` are 0 for kinds that have none.
struct ZipFault {
  /// Names the fault. The order of the names has no meaning.
  enum class Kind {
    too_short,         // shorter than an end record
    no_end,            // the end record is missing
    split,             // the archive continues in other files
    no_directory_64,   // the zip64 end record is not where its locator says
    directory_beyond,  // the directory reaches beyond the end of the file
    too_many_entries,  // `count` entries cannot fit into a directory of `size` bytes
    no_entry,          // an entry is missing or cut short
    cut_extra,         // an extra field reaches beyond its entry
    cut_extra_64,      // the zip64 extra field is too short for its numbers
    encrypted,
    twice,       // two members have the same name
    not_there,   // the local header is missing or names another member
    two_sizes,   // a stored member has different packed and unpacked sizes
    member_cut,  // `size` bytes of the member reach beyond the end of the file
    cut_short    // `size` bytes of another record reach beyond the end of the file
  };

  Kind kind;
  std::uint64_t at = 0;  // offset in the file
  std::string member{};  // name of the member; empty for faults of the archive
  std::uint64_t size = 0;
  std::uint64_t count = 0;
};

/// Reads the central directory of a zip archive (PKWARE's APPNOTE 6.3, with zip64) and locates its
/// members. Checks every length in the archive against the size of the file. It does not unpack
/// members and does not check their CRC-32; the caller reads the bytes from begin_of() on and does
/// both by ZipEntry::method and crc.
class ZipArchive {
 public:
  /// Returns the bytes [at, at + size) of the file; the archive asks only for bytes that exist. It
  /// is kept and called again by begin_of(), so what it refers to must outlive the archive.
  using Part = std::function<std::string(std::uint64_t at, std::uint64_t size)>;
  /// Makes the error to throw, in the terms of the reader of the archive.
  using Words = std::function<Error(const ZipFault&)>;

  /// Reads the directory of a file of `size` bytes. Throws what `words` returns for a fault, also
  /// for two members of one name: readers disagree about which of them counts. Takes the memory of
  /// the directory from `budget`. Exceptions of `part` pass through.
  ZipArchive(std::uint64_t size, Part part, Words words, Budget& budget);

  /// Returns the members in the order of the directory.
  const std::vector<ZipEntry>& entries() const { return entries_; }

  /// Returns the offset of the bytes of a member in the file. Checks that the local header names
  /// the member, that all of its bytes are in the file and that a stored member has one size;
  /// throws what `words` returns otherwise. Reads the local header at each call.
  std::uint64_t begin_of(const ZipEntry& entry) const;

 private:
  struct Directory;

  /// Throws the error that words_ makes of a fault.
  [[noreturn]] void refuse(const ZipFault& fault) const { throw words_(fault); }
  /// Returns bytes of the file after checking that they exist.
  std::string part(std::uint64_t at, std::uint64_t size) const;
  /// Returns the offset of the end record, which a comment may follow.
  std::uint64_t find_end() const;
  /// Returns the place of the directory from the end record or the zip64 end record.
  Directory find_directory() const;
  /// Reads the entry at offset `at` of the directory and moves `at` past it. `begin`: offset of the
  /// directory in the file.
  ZipEntry read_entry(const std::string& directory, std::uint64_t begin, std::size_t& at) const;
  /// Replaces the sizes and offset of an entry that are in its zip64 extra field.
  void read_64(const std::string& extra, ZipEntry& entry) const;

  std::uint64_t size_;
  Part part_;
  Words words_;
  std::vector<ZipEntry> entries_;
};

}  // namespace knead::files
