#include "runner/files/zip_archive.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

namespace knead::files {
namespace {

using Kind = ZipFault::Kind;

// Offsets of fields count from the signature of their record.
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
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // the number is in the zip64 extra field
constexpr std::uint16_t kIs64 = 1;           // tag of the zip64 extra field
constexpr std::uint16_t kEncrypted = 1;      // bit of the flags

constexpr std::uint64_t kOfEntry = 500;  // bytes that a reader of the archive keeps of a member

template <class Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

}  // namespace

struct ZipArchive::Directory {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  std::uint64_t entries = 0;
};

ZipArchive::ZipArchive(std::uint64_t size, Part part, Words words, Budget& budget)
    : size_(size), part_(std::move(part)), words_(std::move(words)) {
  const Directory place = find_directory();
  budget.hold(place.size);
  const std::string directory = this->part(place.begin, place.size);
  std::set<std::string> names;
  std::size_t at = 0;
  while (entries_.size() < place.entries) {
    entries_.push_back(read_entry(directory, place.begin, at));
    const ZipEntry& entry = entries_.back();
    budget.hold(kOfEntry + 2 * entry.name.size());
    if (!names.insert(entry.name).second) refuse({Kind::twice, entry.at, entry.name});
  }
}

std::string ZipArchive::part(std::uint64_t at, std::uint64_t size) const {
  if (at > size_ || size > size_ - at) refuse({Kind::cut_short, at, "", size});
  return part_(at, size);
}

/// An end record counts only if its comment reaches exactly to the end of the file, because a
/// comment may contain the signature.
std::uint64_t ZipArchive::find_end() const {
  if (size_ < kEndSize) refuse({Kind::too_short});
  const std::uint64_t searched = std::min(size_, kEndSize + kLongestComment);
  const std::string tail = part(size_ - searched, searched);
  for (std::size_t at = tail.rfind(kEnd); at != tail.npos; at = tail.rfind(kEnd, at - 1)) {
    const bool fits = tail.size() - at >= kEndSize &&
                      number_at<std::uint16_t>(tail, at + 20) == tail.size() - at - kEndSize;
    if (fits) return size_ - searched + at;
    if (at == 0) break;
  }
  refuse({Kind::no_end, size_});
}

ZipArchive::Directory ZipArchive::find_directory() const {
  const std::uint64_t end = find_end();
  const std::string record = part(end, kEndSize);
  if (number_at<std::uint16_t>(record, 4) != number_at<std::uint16_t>(record, 6))
    refuse({Kind::split, end});
  Directory found{number_at<std::uint32_t>(record, 16), number_at<std::uint32_t>(record, 12),
                  number_at<std::uint16_t>(record, 10)};
  // The zip64 end record is needed beyond 4 GiB; some writers always write it.
  const std::string locator =
      end < kLocator64Size ? "" : part(end - kLocator64Size, kLocator64Size);
  if (locator.starts_with(kLocator64)) {
    const auto at = number_at<std::uint64_t>(locator, 8);
    const std::string large = part(at, kEnd64Size);
    if (!large.starts_with(kEnd64)) refuse({Kind::no_directory_64, at});
    found = {number_at<std::uint64_t>(large, 48), number_at<std::uint64_t>(large, 40),
             number_at<std::uint64_t>(large, 32)};
  }
  if (found.begin > end || found.size > end - found.begin)
    refuse({Kind::directory_beyond, found.begin, "", found.size});
  if (found.entries > found.size / kCentralSize)
    refuse({Kind::too_many_entries, found.begin, "", found.size, found.entries});
  return found;
}

/// The 64-bit numbers are read last, since only the fields of the entry tell which of them exist.
ZipEntry ZipArchive::read_entry(const std::string& directory, std::uint64_t begin,
                                std::size_t& at) const {
  const std::string_view left = std::string_view(directory).substr(at);
  ZipEntry entry;
  entry.at = begin + at;
  if (left.size() < kCentralSize || !left.starts_with(kCentral)) refuse({Kind::no_entry, entry.at});
  const std::size_t name = number_at<std::uint16_t>(left, 28);
  const std::size_t extra = number_at<std::uint16_t>(left, 30);
  const std::size_t whole = kCentralSize + name + extra + number_at<std::uint16_t>(left, 32);
  if (whole > left.size()) refuse({Kind::no_entry, entry.at});
  entry.name = left.substr(kCentralSize, name);
  if (number_at<std::uint16_t>(left, 8) & kEncrypted)
    refuse({Kind::encrypted, entry.at + 8, entry.name});
  entry.method = number_at<std::uint16_t>(left, 10);
  entry.crc = number_at<std::uint32_t>(left, 16);
  entry.size = number_at<std::uint32_t>(left, 20);
  entry.unpacked = number_at<std::uint32_t>(left, 24);
  entry.header = number_at<std::uint32_t>(left, 42);
  read_64(std::string(left.substr(kCentralSize + name, extra)), entry);
  at += whole;
  return entry;
}

/// The extra field has a 64-bit number only for each field of the entry that is 0xFFFFFFFF, in the
/// order unpacked size, size, offset.
void ZipArchive::read_64(const std::string& extra, ZipEntry& entry) const {
  const std::uint64_t begin = entry.at + kCentralSize + entry.name.size();
  for (std::size_t at = 0; extra.size() - at >= 4;) {
    const auto tag = number_at<std::uint16_t>(extra, at);
    const std::size_t size = number_at<std::uint16_t>(extra, at + 2);
    at += 4;
    if (size > extra.size() - at) refuse({Kind::cut_extra, begin + at});
    std::size_t next = at;
    at += size;
    if (tag != kIs64) continue;
    for (std::uint64_t* number : {&entry.unpacked, &entry.size, &entry.header}) {
      if (*number != kIn64) continue;
      if (at - next < 8) refuse({Kind::cut_extra_64, begin + next});
      *number = number_at<std::uint64_t>(extra, next);
      next += 8;
    }
  }
}

/// A local header precedes the data. Its extra field may differ in length from that of the
/// directory, so that only the local header tells where the data begin.
std::uint64_t ZipArchive::begin_of(const ZipEntry& entry) const {
  const std::string header = part(entry.header, kLocalSize);
  const std::uint64_t name = number_at<std::uint16_t>(header, 26);
  if (!header.starts_with(kLocal) || part(entry.header + kLocalSize, name) != entry.name)
    refuse({Kind::not_there, entry.header, entry.name});
  const std::uint64_t begin =
      entry.header + kLocalSize + name + number_at<std::uint16_t>(header, 28);
  if (begin > size_ || entry.size > size_ - begin)
    refuse({Kind::member_cut, begin, entry.name, entry.size});
  if (entry.method == 0 && entry.size != entry.unpacked)
    refuse({Kind::two_sizes, entry.header, entry.name});
  return begin;
}

}  // namespace knead::files
