#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runner/files/open_file.h"

namespace knead::data {

/// A file inside a tar archive.
struct TarMember {
  std::string name;         // as it stands there; it never reaches the file system
  std::uint64_t begin = 0;  // of its bytes, from the beginning of the archive
  std::uint64_t size = 0;
};

/// Goes through the headers of an archive (v7, ustar, GNU with long names, pax) without reading
/// what the files hold. The archive must outlive it.
class TarWalk {
 public:
  explicit TarWalk(const files::OpenFile& archive) : archive_(archive) {}

  /// The next file; links, folders and devices are passed over. Nothing behind the mark of the
  /// archive's end. Throws knead::Error with the byte of what is wrong: no archive, one that is
  /// packed, cut short or damaged, a sparse file.
  std::optional<TarMember> next();

 private:
  struct Header;

  bool read_header(Header& header);
  void read_long_name(const Header& header);
  void read_pax(const Header& header);
  void set_pax(const std::string& key, const std::string& value, std::uint64_t at);
  std::string read_text(const Header& header) const;
  std::string name_of(const Header& header) const;
  void check_size(const Header& header) const;
  [[noreturn]] void refuse(const std::string& what, std::uint64_t at) const;

  const files::OpenFile& archive_;
  std::uint64_t at_ = 0;  // of the next header

  // What headers of their own said about the file that follows.
  std::optional<std::string> name_;
  std::optional<std::uint64_t> size_;
};

/// A name for a message: without control characters, and not too long.
std::string shown_name(const std::string& name);

}  // namespace knead::data
