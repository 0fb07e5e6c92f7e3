#include "runner/data/arrays/zip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "runner/data/packed/inflate.h"
#include "schema/error.h"

namespace knead::data {
namespace {

// APPNOTE 6.3: signatures, sizes of the fixed parts, and values that mean "see the zip64 part".
constexpr std::uint32_t kLocal = 0x04034b50;
constexpr std::uint32_t kCentral = 0x02014b50;
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kLocator64 = 0x07064b50;
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEnd64Size = 56;
constexpr std::size_t kLocatorSize = 20;
constexpr std::size_t kLongestComment = 65535;
constexpr std::uint64_t kSeeZip64 = 0xFFFFFFFF;
constexpr std::uint16_t kExtraZip64 = 1;

/// An archive whose every read is checked.
class Archive {
 public:
  Archive(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::uint64_t size() const { return bytes_.size(); }

  std::string_view part(std::uint64_t at, std::uint64_t size) const {
    if (at > bytes_.size() || bytes_.size() - at < size)
      refuse(fmt::format("cut short, {} bytes are missing", size), at);
    return bytes_.substr(at, size);
  }

  std::uint64_t number(std::uint64_t at, std::size_t bytes) const {
    const std::string_view text = part(at, bytes);
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[i]);
    return value;
  }

  [[noreturn]] void refuse(const std::string& what, std::uint64_t at) const {
    throw Error(fmt::format("{}: {} (byte {})", name_, what, at),
                "numpy.savez writes such archives; fetch or write it again");
  }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

struct Directory {
  std::uint64_t begin = 0;
  std::uint64_t entries = 0;
};

std::uint64_t find_end(const Archive& archive) {
  if (archive.size() < kEndSize) archive.refuse("no npz archive, it is too short", 0);
  const std::uint64_t last = archive.size() - kEndSize;
  const std::uint64_t first = last > kLongestComment ? last - kLongestComment : 0;
  for (std::uint64_t at = last + 1; at-- > first;) {
    const bool is_end = archive.number(at, 4) == kEnd &&
                        at + kEndSize + archive.number(at + 20, 2) == archive.size();
    if (is_end) return at;
  }
  archive.refuse("no npz archive, or cut short: its directory is missing", archive.size());
}

Directory find_directory(const Archive& archive) {
  const std::uint64_t end = find_end(archive);
  Directory directory{archive.number(end + 16, 4), archive.number(end + 10, 2)};
  if (archive.number(end + 4, 2) != archive.number(end + 6, 2))
    archive.refuse("the archive is split over several files", end);
  const bool has_zip64 = end >= kLocatorSize && archive.number(end - kLocatorSize, 4) == kLocator64;
  if (!has_zip64) return directory;
  const std::uint64_t end64 = archive.number(end - kLocatorSize + 8, 8);
  archive.part(end64, kEnd64Size);
  if (archive.number(end64, 4) != kEnd64) archive.refuse("the zip64 directory is missing", end64);
  return {archive.number(end64 + 48, 8), archive.number(end64 + 32, 8)};
}

/// Sizes and place that do not fit 32 bits stand in an extra field, in this order.
void read_zip64(const Archive& archive, std::uint64_t at, std::uint64_t end, ZipEntry& entry) {
  while (end - at >= 4) {
    const std::uint64_t kind = archive.number(at, 2);
    const std::uint64_t length = archive.number(at + 2, 2);
    at += 4;
    if (end - at < length) archive.refuse("an extra field is cut short", at);
    std::uint64_t next = at;
    for (std::uint64_t* value : {&entry.size, &entry.packed_size, &entry.header}) {
      if (kind != kExtraZip64 || *value != kSeeZip64) continue;
      if (at + length - next < 8) archive.refuse("the zip64 field is cut short", next);
      *value = archive.number(next, 8);
      next += 8;
    }
    at += length;
  }
}

ZipEntry read_directory_entry(const Archive& archive, std::uint64_t& at) {
  archive.part(at, kCentralSize);
  if (archive.number(at, 4) != kCentral) archive.refuse("an entry of the directory is missing", at);
  const std::uint64_t flags = archive.number(at + 8, 2);
  const std::uint64_t method = archive.number(at + 10, 2);
  const std::uint64_t name_size = archive.number(at + 28, 2);
  const std::uint64_t extra_size = archive.number(at + 30, 2);
  const std::uint64_t comment_size = archive.number(at + 32, 2);
  ZipEntry entry;
  entry.name = archive.part(at + kCentralSize, name_size);
  if ((flags & 1) != 0) archive.refuse(fmt::format("'{}' is encrypted", entry.name), at + 8);
  if (method != 0 && method != 8) {
    archive.refuse(
        fmt::format("'{}' is packed by method {}, neither stored nor deflated", entry.name, method),
        at + 10);
  }
  entry.is_deflated = method == 8;
  entry.crc = static_cast<std::uint32_t>(archive.number(at + 16, 4));
  entry.packed_size = archive.number(at + 20, 4);
  entry.size = archive.number(at + 24, 4);
  entry.header = archive.number(at + 42, 4);
  const std::uint64_t extra = at + kCentralSize + name_size;
  archive.part(extra, extra_size + comment_size);
  read_zip64(archive, extra, extra + extra_size, entry);
  at = extra + extra_size + comment_size;
  return entry;
}

std::uint32_t crc_of(std::string_view bytes) {
  constexpr std::size_t kPiece = std::numeric_limits<uInt>::max();
  uLong crc = crc32(0, nullptr, 0);
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPiece);
    crc = crc32(crc, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
    bytes.remove_prefix(piece.size());
  }
  return static_cast<std::uint32_t>(crc);
}

}  // namespace

std::vector<ZipEntry> read_zip(std::string_view bytes, const std::string& name) {
  const Archive archive(bytes, name);
  const Directory directory = find_directory(archive);
  std::vector<ZipEntry> entries;
  std::set<std::string> names;
  std::uint64_t at = directory.begin;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    const std::uint64_t begin = at;
    entries.push_back(read_directory_entry(archive, at));
    if (!names.insert(entries.back().name).second)
      archive.refuse(fmt::format("'{}' is there twice", entries.back().name), begin);
  }
  return entries;
}

files::Bytes read_entry(const files::Bytes& bytes, const ZipEntry& entry, const std::string& name) {
  const Archive archive(bytes.view, name);
  archive.part(entry.header, kLocalSize);
  if (archive.number(entry.header, 4) != kLocal)
    archive.refuse(fmt::format("'{}' is not where the directory says", entry.name), entry.header);
  // Only the lengths of its own header count; the rest may differ from the directory.
  const std::uint64_t begin = entry.header + kLocalSize + archive.number(entry.header + 26, 2) +
                              archive.number(entry.header + 28, 2);
  const std::string_view packed = archive.part(begin, entry.packed_size);
  const std::string inside = fmt::format("{}: '{}'", name, entry.name);
  if (!entry.is_deflated && entry.size != entry.packed_size)
    archive.refuse(fmt::format("'{}' is stored, with two sizes", entry.name), entry.header);
  files::Bytes out = entry.is_deflated
                         ? inflate_all(packed, Inflater::Wrapping::none, entry.size, inside, begin)
                         : files::Bytes{bytes.owner, packed};
  if (crc_of(out.view) != entry.crc) {
    archive.refuse(fmt::format("'{}' is damaged, its checksum is wrong", entry.name), begin);
  }
  return out;
}

}  // namespace knead::data
