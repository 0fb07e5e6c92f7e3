#include <fmt/format.h>

#include "runner/weights/zip.h"

namespace knead::weights {
namespace {

using files::ZipFault;

// The words end the sentence "PATH is no zip archive: …", so they differ from those of npz files.
std::string reason(const ZipFault& fault) {
  using Kind = ZipFault::Kind;
  switch (fault.kind) {
    case Kind::too_short:
    case Kind::no_end: return "it has no directory at its end: it is cut short";
    case Kind::split: return "it is split over several files";
    case Kind::no_directory_64: return "its zip64 directory is not where it should be";
    case Kind::directory_beyond: return "its directory reaches beyond its end";
    case Kind::too_many_entries:
      return fmt::format("its directory of {} bytes cannot have {} entries", fault.size,
                         fault.count);
    case Kind::no_entry:
    case Kind::cut_extra:
    case Kind::cut_extra_64: return "its directory is damaged";
    case Kind::encrypted: return fmt::format("its member '{}' is encrypted", fault.member);
    case Kind::twice: return fmt::format("it has the member '{}' twice", fault.member);
    case Kind::not_there:
      return fmt::format("its member '{}' is not where its directory says", fault.member);
    case Kind::two_sizes: return fmt::format("its member '{}' has two sizes", fault.member);
    case Kind::member_cut:
      return fmt::format("its member '{}' reaches beyond its end", fault.member);
    case Kind::cut_short: return "it is cut short";
  }
  return "it is damaged";
}

}  // namespace

std::vector<ZipEntry> read_zip(const files::OpenFile& file, files::Budget& budget) {
  const files::ZipArchive archive(
      file.size(), [&](std::uint64_t at, std::uint64_t size) { return file.read(at, size); },
      [&](const ZipFault& fault) {
        return Error(fmt::format("{} is no zip archive: {}", file.path().string(), reason(fault)),
                     "it may be cut short or damaged: fetch or write it again");
      },
      budget);
  std::vector<ZipEntry> entries;
  for (const files::ZipEntry& entry : archive.entries())
    entries.push_back({entry, archive.begin_of(entry)});
  return entries;
}

}  // namespace knead::weights
