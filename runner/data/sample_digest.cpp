#include "runner/data/sample_digest.h"

#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "runner/files/digest.h"
#include "schema/error.h"

namespace knead::data {
namespace {

constexpr std::uint64_t kBlock = 64 * 1024;
constexpr std::uint64_t kBlocks = 16;

}  // namespace

std::string sample_digest(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::error_code failure;
  const std::uint64_t size = std::filesystem::file_size(path, failure);
  if (!in || failure) throw Error(fmt::format("cannot read '{}'", path.string()));

  std::string sampled;
  const std::uint64_t last = size > kBlock ? size - kBlock : 0;
  for (std::uint64_t i = 0; i < kBlocks; ++i) {
    // Evenly spread, the first and the last block among them; a small file is read whole.
    const std::uint64_t begin = size <= kBlocks * kBlock ? i * kBlock : last / (kBlocks - 1) * i;
    if (begin >= size) break;
    std::string block(std::min(kBlock, size - begin), '\0');
    in.seekg(static_cast<std::streamoff>(begin));
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    if (!in) throw Error(fmt::format("cannot read '{}' at byte {}", path.string(), begin));
    sampled += block;
  }
  return fmt::format("{} bytes, {}", size, files::digest(sampled));
}

}  // namespace knead::data
