#include "runner/data/tar/unpacking.h"

#include <cerrno>

#include <fmt/format.h>

#include "runner/data/tar/tar_walk.h"
#include "runner/data/web/cache.h"
#include "runner/files/budget.h"
#include "runner/files/retry.h"
#include "schema/document/byte_words.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

constexpr std::size_t kBytesAtOnce = 1 << 20;
constexpr std::uint64_t kBetweenLooks = 64 << 20;   // bytes between two checks of the room left
constexpr std::uint64_t kLeftToOthers = 256 << 20;  // bytes that stay free on the disk

std::string words_of(std::uint64_t bytes) { return schema::byte_words(static_cast<double>(bytes)); }

}  // namespace

Unpacking::Unpacking(files::FileSystem& disk, const files::OpenFile& packed, Packing packing,
                     std::filesystem::path folder)
    : disk_(disk),
      folder_(std::move(folder)),
      name_(packed.path().string()),
      reader_(packed),
      unpacker_(make_unpacker(
          packing,
          [this] {
            const auto bytes = reader_.next();
            return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
          },
          name_)) {}

files::FileFacts Unpacking::write_to(const std::filesystem::path& path) {
  try {
    return files::write_new(disk_, path, [this](const files::Sink& sink) { give_all(sink); });
  } catch (const files::FileError& error) {
    if (error.number() == ENOSPC || error.number() == EDQUOT) refuse_for_room();
    throw;
  }
}

void Unpacking::give_all(const files::Sink& sink) {
  std::string block(kBytesAtOnce, '\0');
  // A block that is not full is the end; only then are the checksums of the file verified.
  for (std::size_t count = kBytesAtOnce; count == kBytesAtOnce;) {
    count = unpacker_->read(block);
    // The first block is checked before any byte is written.
    if (came_out_ == 0 && !begins_tar(std::string_view(block).substr(0, count)))
      throw Error(name_ + ": what is packed in it is no tar archive",
                  "give a tar archive, as it is or packed by gzip or zstd");
    if (came_out_ % kBetweenLooks == 0 && came_out_ > 0) check_room();
    came_out_ += count;
    if (came_out_ > files::most_unpacked(reader_.bytes_read()))
      throw Error(fmt::format("{}: its first {} unpack to {}", name_,
                              words_of(reader_.bytes_read()), words_of(came_out_)),
                  files::kUnpackIt);
    sink(std::as_bytes(std::span(block)).first(count));
  }
}

void Unpacking::check_room() const {
  // A full disk would stop other programs too, so this ends before the disk is full.
  const files::Space space = files::retry("ask for the space of " + folder_.string(),
                                          [&] { return disk_.space(folder_); });
  if (space.free < kLeftToOthers) refuse_for_room();
}

void Unpacking::refuse_for_room() const {
  const files::Space space = disk_.space(folder_);
  throw Error(
      fmt::format(
          "{} is larger, unpacked, than there is room for: {} came out of its first {}, and "
          "the file system at {} has {} left",
          name_, words_of(came_out_), words_of(reader_.bytes_read()), space.mounted_at.string(),
          words_of(space.free)),
      "make room there, or let KNEAD_HOME name a folder on a larger disk");
}

}  // namespace knead::data
