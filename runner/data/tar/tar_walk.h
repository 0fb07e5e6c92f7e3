#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runner/files/open_file.h"

namespace knead::data {

/// Describes a regular file in a tar archive.
struct TarMember {
  std::string name;         // as the archive has it; never used as a path on the disk
  std::uint64_t begin = 0;  // offset of its bytes in the archive
  std::uint64_t size = 0;
};

/// Reads the headers of an archive (v7, ustar, GNU with long names, pax as in POSIX.1-2017) one by
/// one and skips the content of files. Memory does not grow with the archive. The archive must
/// outlive this object. Not thread-safe.
class TarWalk {
 public:
  /// `name`: the archive, for messages.
  TarWalk(const files::OpenFile& archive, std::string name)
      : archive_(archive), archive_name_(std::move(name)) {}

  /// Returns the next file and skips links, folders and devices; std::nullopt at the end mark, a
  /// block of zeros, behind which nothing is read. Throws knead::Error with the offset of the
  /// fault: the file is not a tar archive, is cut short (also if only the end mark is missing) or
  /// damaged, or holds a sparse file.
  std::optional<TarMember> next();

 private:
  struct Header;

  /// Reads the header at at_; returns false at the end mark.
  bool read_header(Header& header);
  /// Reads a GNU long name, which replaces the name of the next file.
  void read_long_name(const Header& header);
  /// Reads pax records, which replace name and size of the next file.
  void read_pax(const Header& header);
  /// Takes one pax record that begins at offset `at`; ignores unknown keys.
  void set_pax(const std::string& key, const std::string& value, std::uint64_t at);
  /// Returns the content of an extension header.
  std::string read_text(const Header& header) const;
  /// Returns the name of a file, from an extension header if there was one.
  std::string name_of(const Header& header) const;
  /// Throws knead::Error if the bytes of a file reach beyond the end of the archive.
  void check_size(const Header& header) const;
  [[noreturn]] void refuse(const std::string& what, std::uint64_t at) const;

  const files::OpenFile& archive_;
  std::string archive_name_;
  std::uint64_t at_ = 0;  // offset of the next header

  // These are set by extension headers for the file that follows.
  std::optional<std::string> name_;
  std::optional<std::uint64_t> size_;
};

/// Returns whether a file begins as a tar archive does: with a header whose checksum is right, or
/// with the end mark. `beginning`: the first kTarBlock bytes or more; fewer are not an archive.
bool begins_tar(std::string_view beginning);
constexpr std::size_t kTarBlock = 512;  // bytes of a header; other content is padded to multiples

/// Returns a name for a message: at most 120 bytes of it, with `?` for control characters, so that
/// a file from elsewhere cannot write to a terminal.
std::string shown_name(const std::string& name);

}  // namespace knead::data
