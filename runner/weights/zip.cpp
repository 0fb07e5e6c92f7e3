#include "runner/weights/zip.h"

#include <cstring>

#include <zlib.h>

namespace knead::weights {
namespace {

constexpr std::uint16_t kVersion = 45;  // of the format, the first one with zip64
constexpr std::uint16_t kNamesAreUtf8 = 0x800;
constexpr std::uint16_t kFirstDay = 0x21;  // 1 January 1980, the earliest date of the format
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;
constexpr std::uint16_t kPadding = 0x4246;  // tag of an extra field that is only padding

/// Builds a record field by field, little-endian.
class Record {
 public:
  explicit Record(const char* signature) : bytes_(signature, 4) {}

  template <class Number>
  Record& add(Number number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
  }
  Record& add_text(const std::string& text) {
    bytes_ += text;
    return *this;
  }
  std::uint64_t size() const { return bytes_.size(); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

using std::uint16_t;
using std::uint32_t;
using std::uint64_t;

std::string number_bytes(uint64_t number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

/// Adds the fields that local and central headers share. The sizes are in the zip64 field for
/// members of any size.
Record& add_facts(Record& record, const ZipMember& member) {
  return record.add(kVersion)
      .add(kNamesAreUtf8)
      .add(uint16_t{0})  // stored
      .add(uint16_t{0})  // midnight
      .add(kFirstDay)
      .add(member.crc)
      .add(kIn64)
      .add(kIn64)
      .add(static_cast<uint16_t>(member.name.size()));
}

/// Returns the local header of a member at `offset`, padded so that the data behind it are aligned.
std::string local_header(const ZipMember& member, uint64_t offset, uint64_t alignment) {
  constexpr uint64_t kFixed = 30;
  constexpr uint64_t kSizes = 20;
  constexpr uint64_t kTag = 4;
  // The padding is an extra field of its own, so at least its tag and length are written.
  const uint64_t least = offset + kFixed + member.name.size() + kSizes + kTag;
  const uint64_t padding = (alignment - least % alignment) % alignment;
  Record record("PK\3\4");
  add_facts(record, member).add(static_cast<uint16_t>(kSizes + kTag + padding));
  record.add_text(member.name).add(uint16_t{1}).add(uint16_t{16}).add(member.size).add(member.size);
  record.add(kPadding).add(static_cast<uint16_t>(padding)).add_text(std::string(padding, 'Z'));
  return record.take();
}

/// Returns the directory entry of a member at `offset`.
std::string central_header(const ZipMember& member, uint64_t offset) {
  Record record("PK\1\2");
  record.add(kVersion);
  add_facts(record, member).add(uint16_t{28}).add(uint16_t{0});
  record.add(uint16_t{0}).add(uint16_t{0}).add(uint32_t{0}).add(kIn64);
  record.add_text(member.name).add(uint16_t{1}).add(uint16_t{24});
  record.add(member.size).add(member.size).add(offset);
  return record.take();
}

/// Returns the zip64 end record, its locator and the end record, which close the archive.
std::string end_records(uint64_t entries, uint64_t begin, uint64_t size) {
  Record record("PK\6\6");
  record.add(uint64_t{44}).add(kVersion).add(kVersion).add(uint32_t{0}).add(uint32_t{0});
  record.add(entries).add(entries).add(size).add(begin);
  Record locator("PK\6\7");
  locator.add(uint32_t{0}).add_text(number_bytes(begin + size)).add(uint32_t{1});
  Record end("PK\5\6");
  end.add(uint16_t{0}).add(uint16_t{0}).add(uint16_t{0xFFFF}).add(uint16_t{0xFFFF});
  end.add(kIn64).add(kIn64).add(uint16_t{0});
  return record.take() + locator.take() + end.take();
}

void give(const files::Sink& sink, const std::string& bytes) {
  sink(std::as_bytes(std::span(bytes)));
}

}  // namespace

void RunningCrc::add(std::span<const std::byte> bytes) {
  const auto* begin = reinterpret_cast<const unsigned char*>(bytes.data());
  value_ = static_cast<std::uint32_t>(crc32_z(value_, begin, bytes.size()));
}

files::Content zip(std::vector<ZipMember> members, std::uint64_t alignment) {
  return [members = std::move(members), alignment](const files::Sink& sink) {
    std::string directory;
    uint64_t at = 0;
    for (const ZipMember& member : members) {
      directory += central_header(member, at);
      const std::string header = local_header(member, at, alignment);
      give(sink, header);
      member.content(sink);
      at += header.size() + member.size;
    }
    give(sink, directory);
    give(sink, end_records(members.size(), at, directory.size()));
  };
}

}  // namespace knead::weights
