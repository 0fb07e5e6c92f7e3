#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "runner/weights/zip.h"
#include "schema/error.h"

namespace knead::weights {
namespace {

// The records, as PKWARE's APPNOTE 6.3 numbers their fields from the signature on.
constexpr std::string_view kLocal = "PK\3\4";
constexpr std::string_view kCentral = "PK\1\2";
constexpr std::string_view kEnd = "PK\5\6";
constexpr std::string_view kEnd64 = "PK\6\6";
constexpr std::string_view kLocator64 = "PK\6\7";
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEnd64Size = 56;
constexpr std::size_t kLocator64Size = 20;
constexpr std::uint64_t kLongestComment = 0xFFFF;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // the number stands in a zip64 field
constexpr std::uint16_t kIs64 = 1;           // the tag of that field
constexpr std::uint16_t kEncrypted = 1;

/// Why a file is refused; the path is put before it at the door.
struct Refused {
  std::string reason;
};

template <class Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

std::string read_at(const files::OpenFile& file, std::uint64_t offset, std::uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) throw Refused{"it is cut short"};
  std::string bytes(size, '\0');
  file.read(offset, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

/// Where the directory lies, and how many entries it has.
struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t entries = 0;
};

/// The record at the end, before a comment that reaches to the end of the file.
std::uint64_t find_end(const files::OpenFile& file) {
  const std::uint64_t searched = std::min(file.size(), kEndSize + kLongestComment);
  const std::string tail = read_at(file, file.size() - searched, searched);
  for (std::size_t at = tail.rfind(kEnd); at != tail.npos; at = tail.rfind(kEnd, at - 1)) {
    const bool fits = tail.size() - at >= kEndSize &&
                      number_at<std::uint16_t>(tail, at + 20) == tail.size() - at - kEndSize;
    if (fits) return file.size() - searched + at;
    if (at == 0) break;
  }
  throw Refused{"it has no directory at its end: it is cut short"};
}

/// The record for archives beyond 4 GiB; some writers always have it.
std::optional<Directory> find_end64(const files::OpenFile& file, std::uint64_t end) {
  if (end < kLocator64Size) return std::nullopt;
  const std::string locator = read_at(file, end - kLocator64Size, kLocator64Size);
  if (!locator.starts_with(kLocator64)) return std::nullopt;
  const std::string record = read_at(file, number_at<std::uint64_t>(locator, 8), kEnd64Size);
  if (!record.starts_with(kEnd64)) throw Refused{"its zip64 directory is not where it should be"};
  return Directory{number_at<std::uint64_t>(record, 48), number_at<std::uint64_t>(record, 40),
                   number_at<std::uint64_t>(record, 32)};
}

Directory find_directory(const files::OpenFile& file) {
  const std::uint64_t end = find_end(file);
  const std::string record = read_at(file, end, kEndSize);
  Directory found{number_at<std::uint32_t>(record, 16), number_at<std::uint32_t>(record, 12),
                  number_at<std::uint16_t>(record, 10)};
  if (const auto larger = find_end64(file, end)) found = *larger;
  if (found.offset > end || found.size > end - found.offset)
    throw Refused{"its directory reaches beyond its end"};
  if (found.entries > found.size / kCentralSize)
    throw Refused{
        fmt::format("its directory of {} bytes cannot have {} entries", found.size, found.entries)};
  return found;
}

/// The large numbers of an entry, in the order in which its own fields say that they are there.
void read_64(std::string_view extra, ZipEntry& entry, std::uint64_t& local) {
  for (std::size_t at = 0; extra.size() - at >= 4;) {
    const auto tag = number_at<std::uint16_t>(extra, at);
    const std::size_t size = number_at<std::uint16_t>(extra, at + 2);
    at += 4;
    if (size > extra.size() - at) break;
    std::string_view field = extra.substr(at, size);
    at += size;
    if (tag != kIs64) continue;
    for (std::uint64_t* number : {&entry.unpacked, &entry.size, &local}) {
      if (*number != kIn64) continue;
      if (field.size() < 8) break;
      *number = number_at<std::uint64_t>(field, 0);
      field.remove_prefix(8);
    }
  }
}

/// Before the data stands a second header, whose name and extra field may have other lengths.
std::uint64_t find_data(const files::OpenFile& file, const ZipEntry& entry, std::uint64_t local) {
  const std::string header = read_at(file, local, kLocalSize);
  const std::uint64_t name = number_at<std::uint16_t>(header, 26);
  if (!header.starts_with(kLocal) || read_at(file, local + kLocalSize, name) != entry.name)
    throw Refused{fmt::format("its member '{}' is not where its directory says", entry.name)};
  return local + kLocalSize + name + number_at<std::uint16_t>(header, 28);
}

/// One entry at `at` of the directory, which moves on.
ZipEntry read_entry(const files::OpenFile& file, std::string_view directory, std::size_t& at) {
  const std::string_view left = directory.substr(at);
  if (left.size() < kCentralSize || !left.starts_with(kCentral))
    throw Refused{"its directory is damaged"};
  const std::size_t name = number_at<std::uint16_t>(left, 28);
  const std::size_t extra = number_at<std::uint16_t>(left, 30);
  const std::size_t whole = kCentralSize + name + extra + number_at<std::uint16_t>(left, 32);
  if (whole > left.size()) throw Refused{"its directory is damaged"};
  ZipEntry entry;
  entry.name = left.substr(kCentralSize, name);
  entry.method = number_at<std::uint16_t>(left, 10);
  entry.crc = number_at<std::uint32_t>(left, 16);
  entry.size = number_at<std::uint32_t>(left, 20);
  entry.unpacked = number_at<std::uint32_t>(left, 24);
  std::uint64_t local = number_at<std::uint32_t>(left, 42);
  if (number_at<std::uint16_t>(left, 8) & kEncrypted)
    throw Refused{fmt::format("its member '{}' is encrypted", entry.name)};
  read_64(left.substr(kCentralSize + name, extra), entry, local);
  entry.begin = find_data(file, entry, local);
  if (entry.begin > file.size() || entry.size > file.size() - entry.begin)
    throw Refused{fmt::format("its member '{}' reaches beyond its end", entry.name)};
  if (entry.method == 0 && entry.size != entry.unpacked)
    throw Refused{fmt::format("its member '{}' has two sizes", entry.name)};
  at += whole;
  return entry;
}

std::vector<ZipEntry> read(const files::OpenFile& file) {
  const Directory place = find_directory(file);
  const std::string directory = read_at(file, place.offset, place.size);
  std::vector<ZipEntry> entries;
  std::set<std::string> names;
  std::size_t at = 0;
  while (entries.size() < place.entries) {
    entries.push_back(read_entry(file, directory, at));
    if (!names.insert(entries.back().name).second)
      throw Refused{fmt::format("it has the member '{}' twice", entries.back().name)};
  }
  return entries;
}

}  // namespace

std::vector<ZipEntry> read_zip(const files::OpenFile& file) {
  try {
    return read(file);
  } catch (const Refused& refused) {
    throw Error(fmt::format("{} is no zip archive: {}", file.path().string(), refused.reason),
                "it may be cut short or damaged: fetch or write it again");
  }
}

}  // namespace knead::weights
