#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
  /// `name`: that of the archive, for messages.
  TarWalk(const files::OpenFile& archive, std::string name)
      : archive_(archive), archive_name_(std::move(name)) {}

  /// The next file; links, folders and devices are passed over. Nothing behind the mark of the
  /// archive's end. Throws knead::Error with the byte of what is wrong: no archive, one that is cut
  /// short or damaged, a sparse file.
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
  std::string archive_name_;
  std::uint64_t at_ = 0;  // of the next header

  // What headers of their own said about the file that follows.
  std::optional<std::string> name_;
  std::optional<std::uint64_t> size_;
};

/// Whether an archive may begin so: with the header of a file, or with the mark of the end.
bool begins_tar(std::string_view beginning);
constexpr std::size_t kTarBlock = 512;  // as much of it as is looked at

/// A name for a message: without control characters, and not too long.
std::string shown_name(const std::string& name);

}  // namespace knead::data
