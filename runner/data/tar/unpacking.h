#pragma once

#include <filesystem>
#include <memory>

#include "runner/data/packed/unpacker.h"
#include "runner/files/file.h"
#include "runner/files/known_file.h"

namespace knead::data {

/// Unpacks one packed archive in one pass: construct, call write_to() once, then source(). Computes
/// the digests of the packed and of the unpacked bytes on the way.
class Unpacking {
 public:
  /// `folder`: the destination, on whose file system room is checked. Borrows `disk` and `packed`.
  Unpacking(files::FileSystem& disk, const files::OpenFile& packed, Packing packing,
            std::filesystem::path folder);

  /// Writes the unpacked archive to a new file and syncs it. Returns size and digest of what was
  /// written. Throws knead::Error if the content is not a tar archive or is damaged, or if the disk
  /// has less than 256 MiB left, which stay free for others. The caller then removes the partial
  /// file.
  files::FileFacts write_to(const std::filesystem::path& path);

  /// Returns the record of the packed file, by which a later start recognises it. Must follow
  /// write_to(). Throws knead::Error if the file was changed meanwhile.
  files::KnownFile source() const { return reader_.known(); }

 private:
  /// Passes all unpacked bytes to `sink`.
  void give_all(const files::Sink& sink);
  /// Throws knead::Error if the disk has less room than is kept free for others.
  void check_room() const;
  [[noreturn]] void refuse_for_room() const;

  files::FileSystem& disk_;
  std::filesystem::path folder_;
  std::string name_;
  files::KnowingReader reader_;
  std::unique_ptr<Unpacker> unpacker_;
  std::uint64_t came_out_ = 0;  // unpacked bytes so far
};

}  // namespace knead::data
