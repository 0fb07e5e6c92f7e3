#include "runner/data/tar/tar_walk.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::data {
namespace {

// Offsets and sizes of the fields of a header (POSIX.1-2017, pax).
constexpr std::uint64_t kBlock = kTarBlock;
constexpr std::size_t kName = 0;
constexpr std::size_t kNameSize = 100;
constexpr std::size_t kSize = 124;
constexpr std::size_t kNumberSize = 12;
constexpr std::size_t kChecksum = 148;
constexpr std::size_t kChecksumSize = 8;
constexpr std::size_t kType = 156;
constexpr std::size_t kMagic = 257;
constexpr std::size_t kPrefix = 345;
constexpr std::size_t kPrefixSize = 155;

constexpr std::uint64_t kLongestText = 1 << 20;  // bytes of a long name or of pax records

/// Returns the text of a field up to its first NUL.
std::string_view text_in(std::string_view field) { return field.substr(0, field.find('\0')); }

/// Reads a number in octal digits, or in base 256 behind a byte of at least 0x80 (GNU);
/// std::nullopt for anything else.
std::optional<std::uint64_t> number_in_header(std::string_view field) {
  const auto first = static_cast<unsigned char>(field[0]);
  if (first >= 0x80) {
    std::uint64_t value = first & 0x7F;
    for (const char c : field.substr(1)) {
      if (value >> 55 != 0) return std::nullopt;
      value = value << 8 | static_cast<unsigned char>(c);
    }
    return value;
  }
  field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
  const std::string_view digits = field.substr(0, field.find_first_of(std::string_view(" \0", 2)));
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '7') return std::nullopt;
    value = value << 3 | static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

bool is_end_mark(std::string_view block) { return block.find_first_not_of('\0') == block.npos; }

/// Checks the sum of all bytes, in which the bytes of the checksum count as spaces. Old programs
/// added up signed bytes.
bool has_right_checksum(std::string_view block) {
  std::uint64_t sum = kChecksumSize * ' ';
  std::int64_t signed_sum = kChecksumSize * ' ';
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (i >= kChecksum && i < kChecksum + kChecksumSize) continue;
    sum += static_cast<unsigned char>(block[i]);
    signed_sum += static_cast<signed char>(block[i]);
  }
  const auto written = number_in_header(block.substr(kChecksum, kChecksumSize));
  return written && (*written == sum || static_cast<std::int64_t>(*written) == signed_sum);
}

}  // namespace

struct TarWalk::Header {
  std::array<char, kBlock> bytes{};
  std::uint64_t at = 0;
  std::uint64_t size = 0;

  std::string_view block() const { return {bytes.data(), bytes.size()}; }
  std::string_view field(std::size_t begin, std::size_t size_of_it) const {
    return block().substr(begin, size_of_it);
  }
  char type() const { return bytes[kType]; }
  std::uint64_t begin() const { return at + kBlock; }
};

bool begins_tar(std::string_view beginning) {
  if (beginning.size() < kBlock) return false;
  const std::string_view block = beginning.substr(0, kBlock);
  return is_end_mark(block) || has_right_checksum(block);
}

std::string shown_name(const std::string& name) {
  constexpr std::size_t kMost = 120;
  std::string shown = name.size() > kMost ? name.substr(0, kMost) + "…" : name;
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }, '?');
  return shown;
}

void TarWalk::refuse(const std::string& what, std::uint64_t at) const {
  throw Error(fmt::format("{}: {} (byte {})", archive_name_, what, at),
              "the file is damaged: fetch it again, or write it again");
}

/// The size is left as the header states it; next() replaces it by that of a pax record.
bool TarWalk::read_header(Header& header) {
  if (archive_.size() == 0)
    throw Error(archive_name_ + ": no tar archive, it is empty", "give a file with samples");
  if (archive_.size() < at_ || archive_.size() - at_ < kBlock)
    refuse("the archive is cut short: its end is missing", archive_.size());
  header.at = at_;
  archive_.read(at_, std::as_writable_bytes(std::span(header.bytes)));
  if (is_end_mark(header.block())) return false;
  if (!has_right_checksum(header.block()))
    refuse(at_ == 0 ? "no tar archive" : "the header of a file is damaged, its checksum is wrong",
           at_);
  const auto size = number_in_header(header.field(kSize, kNumberSize));
  if (!size) refuse("the size of a file is no number", at_ + kSize);
  header.size = *size;
  return true;
}

std::optional<TarMember> TarWalk::next() {
  for (Header header; read_header(header);) {
    const char type = header.type();
    const bool is_about_next = type == 'x' || type == 'L' || type == 'K';
    if (!is_about_next && size_) header.size = *size_;
    const std::string name = is_about_next ? "" : name_of(header);
    // Folders, links and devices have no content, even if their header states a size.
    const bool has_bytes = type < '1' || type > '6';
    if (has_bytes) check_size(header);
    at_ = header.begin() + (has_bytes ? (header.size + kBlock - 1) / kBlock * kBlock : 0);
    if (type == 'L') read_long_name(header);
    if (type == 'x') read_pax(header);
    if (is_about_next) continue;
    name_.reset();
    size_.reset();
    if (type == 'S') refuse(fmt::format("'{}' is a sparse file", shown_name(name)), header.at);
    const bool is_file = type == '0' || type == '7' || (type == '\0' && !name.ends_with('/'));
    if (is_file) return TarMember{name, header.begin(), header.size};
  }
  return std::nullopt;
}

void TarWalk::check_size(const Header& header) const {
  const std::uint64_t there = archive_.size() - header.begin();
  if (header.size <= there) return;
  refuse(fmt::format("'{}' has {} bytes, and {} follow: the archive is cut short",
                     shown_name(name_of(header)), header.size, there),
         header.at);
}

std::string TarWalk::name_of(const Header& header) const {
  if (name_) return *name_;
  const std::string name(text_in(header.field(kName, kNameSize)));
  // GNU's format stores times where POSIX has the prefix of a long name.
  const bool is_posix = header.field(kMagic, 6) == std::string_view("ustar\0", 6);
  const std::string_view prefix = text_in(header.field(kPrefix, kPrefixSize));
  return is_posix && !prefix.empty() ? fmt::format("{}/{}", prefix, name) : name;
}

std::string TarWalk::read_text(const Header& header) const {
  if (header.size > kLongestText)
    refuse(fmt::format("a name of {} bytes, or more about a file than that", header.size),
           header.at);
  return archive_.read(header.begin(), header.size);
}

void TarWalk::read_long_name(const Header& header) { name_ = text_in(read_text(header)); }

/// Each record looks like "27 path=a/b.jpg\n"; its number counts all of its bytes.
void TarWalk::read_pax(const Header& header) {
  const std::string text = read_text(header);
  for (std::size_t at = 0; at < text.size() && text[at] != '\0';) {
    const std::uint64_t place = header.begin() + at;
    std::size_t length = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + text.size(), length);
    const auto key = static_cast<std::size_t>(read.ptr - text.data()) + 1;
    const bool is_record = read.ec == std::errc() && length <= text.size() - at &&
                           key <= at + length && text[key - 1] == ' ' &&
                           text[at + length - 1] == '\n';
    const std::size_t equals = is_record ? text.find('=', key) : text.npos;
    if (!is_record || equals >= at + length) refuse("what is said about a file is damaged", place);
    set_pax(text.substr(key, equals - key), text.substr(equals + 1, at + length - equals - 2),
            place);
    at += length;
  }
}

void TarWalk::set_pax(const std::string& key, const std::string& value, std::uint64_t at) {
  if (key.starts_with("GNU.sparse.")) refuse("a file is stored as a sparse one", at);
  if (key == "path") name_ = text_in(value);
  if (key != "size") return;
  std::uint64_t size = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), size);
  if (read.ec != std::errc() || read.ptr != value.data() + value.size())
    refuse("the size of a file is no number", at);
  size_ = size;
}

}  // namespace knead::data
