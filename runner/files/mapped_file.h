#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

namespace knead::files {

/// The bytes of a file, or of a part of one that was unpacked; they stay while `owner` does.
struct Bytes {
  std::shared_ptr<const void> owner;
  std::string_view view;
};

/// Maps a whole file into memory to read it: pages come from the disk when they are looked at, and
/// the system may take them back. Throws knead::Error that names the file where it is not there, is
/// no file, or cannot be mapped. A file that is cut short while it is mapped ends the process
/// (SIGBUS).
Bytes map_file(const std::filesystem::path& path);

}  // namespace knead::files
