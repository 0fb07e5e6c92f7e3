#include "runner/files/sample_digest.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/files/digest.h"
#include "runner/files/open_file.h"

namespace knead::files {
namespace {

constexpr std::uint64_t kSampleBlock = 64 * 1024;
constexpr std::uint64_t kSampleBlocks = 16;

}  // namespace

std::string sample_digest(const std::filesystem::path& path) {
  const OpenFile file(path);
  const std::uint64_t size = file.size();
  std::string sampled;
  const std::uint64_t last = size > kSampleBlock ? size - kSampleBlock : 0;
  for (std::uint64_t i = 0; i < kSampleBlocks; ++i) {
    // The blocks are evenly spread from the first byte to the end, where headers and directories of
    // formats lie. A small file is read whole.
    const std::uint64_t begin =
        size <= kSampleBlocks * kSampleBlock ? i * kSampleBlock : last / (kSampleBlocks - 1) * i;
    if (begin >= size) break;
    sampled += file.read(begin, std::min(kSampleBlock, size - begin));
  }
  return fmt::format("{} bytes, {}", size, digest(sampled));
}

}  // namespace knead::files
