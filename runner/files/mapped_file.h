#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

namespace knead::files {

/// Refers to the bytes of a file, or to unpacked bytes in memory. They stay valid while `owner`
/// lives; copies share it. An empty view may have no owner.
struct Bytes {
  std::shared_ptr<const void> owner;
  std::string_view view;
};

/// Maps a whole file into memory for reading: the system loads pages on access and may evict them.
/// An empty file gives an empty view. Throws knead::Error that names the file if it does not exist,
/// is not a regular file, consists of holes, or cannot be mapped. If the file is truncated while it
/// is mapped, an access ends the process with a message that names it, and Exit::not_usable.
Bytes map_file(const std::filesystem::path& path);

}  // namespace knead::files
