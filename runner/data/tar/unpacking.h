#pragma once

#include <filesystem>
#include <memory>

#include "runner/data/packed/unpacker.h"
#include "runner/files/file.h"
#include "runner/files/known_file.h"

namespace knead::data {

/// A packed archive on its way to an unpacked one.
class Unpacking {
 public:
  /// `folder`: where it is going to lie.
  Unpacking(files::FileSystem& disk, const files::OpenFile& packed, Packing packing,
            std::filesystem::path folder);

  /// Writes a new file, durably. Throws knead::Error where what is packed is no tar archive or is
  /// damaged, and where the disk gets full: some room on it is left to others. What is written
  /// until then is the caller's to remove.
  files::FileFacts write_to(const std::filesystem::path& path);

  /// What the packed file held, when all was written. Throws where it changed meanwhile.
  files::KnownFile source() const { return reader_.known(); }

 private:
  void give_all(const files::Sink& sink);
  void check_room() const;
  [[noreturn]] void refuse_for_room() const;

  files::FileSystem& disk_;
  std::filesystem::path folder_;
  std::string name_;
  files::KnowingReader reader_;
  std::unique_ptr<Unpacker> unpacker_;
  std::uint64_t came_out_ = 0;
};

}  // namespace knead::data
