#include "runner/data/arrays/zip.h"

#include <zlib.h>

#include <fmt/format.h>

#include "runner/data/packed/inflate.h"
#include "runner/files/budget.h"

namespace knead::data {
namespace {

using files::ZipFault;

constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;

std::string reason(const ZipFault& fault) {
  using Kind = ZipFault::Kind;
  switch (fault.kind) {
    case Kind::too_short: return "no npz archive, it is too short";
    case Kind::no_end: return "no npz archive, or cut short: its directory is missing";
    case Kind::split: return "the archive is split over several files";
    case Kind::no_directory_64: return "the zip64 directory is missing";
    case Kind::directory_beyond: return "the directory reaches beyond its end";
    case Kind::too_many_entries:
      return fmt::format("a directory of {} bytes cannot have {} entries", fault.size, fault.count);
    case Kind::no_entry: return "an entry of the directory is missing";
    case Kind::cut_extra: return "an extra field is cut short";
    case Kind::cut_extra_64: return "the zip64 field is cut short";
    case Kind::encrypted: return fmt::format("'{}' is encrypted", fault.member);
    case Kind::twice: return fmt::format("'{}' is there twice", fault.member);
    case Kind::not_there: return fmt::format("'{}' is not where the directory says", fault.member);
    case Kind::two_sizes: return fmt::format("'{}' is stored, with two sizes", fault.member);
    case Kind::member_cut:
    case Kind::cut_short: return fmt::format("cut short, {} bytes are missing", fault.size);
  }
  return "damaged";
}

Error refusal(const std::string& name, const std::string& what, std::uint64_t at) {
  return Error(fmt::format("{}: {} (byte {})", name, what, at),
               "numpy.savez writes such archives; fetch or write it again");
}

std::uint32_t crc_of(std::string_view bytes) {
  // crc32() takes a length of 32 bits, crc32_z() one of any size.
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

NpzArchive::NpzArchive(files::Bytes bytes, std::string name, files::Budget& budget)
    : bytes_(std::move(bytes)),
      name_(std::move(name)),
      archive_(
          bytes_.view.size(),
          [view = bytes_.view](std::uint64_t at, std::uint64_t size) {
            return std::string(view.substr(at, size));
          },
          [name = name_](const ZipFault& fault) { return refusal(name, reason(fault), fault.at); },
          budget) {
  for (const files::ZipEntry& entry : entries()) {
    if (entry.method == kStored || entry.method == kDeflated) continue;
    // The method stands 10 bytes behind the beginning of an entry of the directory.
    throw refusal(name_,
                  fmt::format("'{}' is packed by method {}, neither stored nor deflated",
                              entry.name, entry.method),
                  entry.at + 10);
  }
}

files::Bytes NpzArchive::read(const files::ZipEntry& entry) {
  const std::uint64_t begin = archive_.begin_of(entry);
  const std::string_view packed = bytes_.view.substr(begin, entry.size);
  const std::string inside = fmt::format("{}: '{}'", name_, entry.name);
  if (entry.method == kDeflated) {
    const bool overflows = __builtin_add_overflow(unpacked_, entry.unpacked, &unpacked_);
    // A member that says too much by itself is refused below, with better words.
    const bool says_too_much = entry.unpacked > files::most_unpacked(packed.size());
    if (!says_too_much && (overflows || unpacked_ > files::most_unpacked(bytes_.view.size())))
      throw Error(fmt::format("{}: {} bytes unpack to {} with '{}'", name_, bytes_.view.size(),
                              unpacked_, entry.name),
                  files::kUnpackIt);
  }
  files::Bytes out = entry.method == kDeflated ? inflate_all(packed, Inflater::Wrapping::none,
                                                             entry.unpacked, inside, begin)
                                               : files::Bytes{bytes_.owner, packed};
  if (crc_of(out.view) != entry.crc)
    throw refusal(name_, fmt::format("'{}' is damaged, its checksum is wrong", entry.name), begin);
  return out;
}

}  // namespace knead::data
