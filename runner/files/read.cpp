#include "runner/files/read.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::files {

std::string read_text(const std::filesystem::path& path) {
  std::error_code failure;
  // An ifstream opens a folder without complaint and then reads nothing.
  if (std::filesystem::is_directory(path, failure)) {
    throw Error(fmt::format("{} is a folder", path.string()), "name a file");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw Error(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)),
                "a path in a recipe is relative to the file that names it");
  }
  std::string text;
  // The size is only a hint: files below /proc report 0 bytes.
  const auto size = std::filesystem::file_size(path, failure);
  if (!failure) text.reserve(size);
  char block[1 << 16];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) {
    throw Error(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)), "");
  }
  return text;
}

}  // namespace knead::files
