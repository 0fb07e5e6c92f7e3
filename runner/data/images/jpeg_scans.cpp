#include <algorithm>

#include <fmt/format.h>

#include "runner/data/images/formats.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

constexpr unsigned char kStartOfScan = 0xDA;
constexpr unsigned char kFirstRestart = 0xD0;
constexpr unsigned char kEndOfImage = 0xD9;  // stands alone, as restarts and the start do

/// Counts the scans of a JPEG file up to the first place that is no marker.
std::uint64_t count_scans(std::string_view file) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(file[at]); };
  std::uint64_t scans = 0;
  for (std::size_t at = file.find('\xFF'); at != file.npos && at + 1 < file.size();
       at = file.find('\xFF', at)) {
    const unsigned char mark = byte(at + 1);
    if (mark == 0xFF) {  // a mark may be filled up in front
      ++at;
      continue;
    }
    at += 2;
    // In a scan, 0 behind FF means the byte FF.
    const bool stands_alone = mark < 2 || (mark >= kFirstRestart && mark <= kEndOfImage);
    if (stands_alone || at + 1 >= file.size()) continue;
    if (mark == kStartOfScan) ++scans;
    at += std::min<std::size_t>(byte(at) << 8 | byte(at + 1), file.size() - at);
  }
  return scans;
}

}  // namespace

void check_scans(ImageSize size, std::string_view file, const std::string& name) {
  constexpr std::uint64_t kFreePixels = 1 << 28;
  constexpr std::uint64_t kPixelsOfByte = 256;
  const auto pixels = static_cast<std::uint64_t>(size.height * size.width);
  const std::uint64_t scans = count_scans(file);
  if (scans <= (kFreePixels + kPixelsOfByte * file.size()) / pixels) return;
  throw Error(fmt::format("{} goes over its {} × {} pixels in {} scans, in {} bytes", name,
                          size.width, size.height, scans, file.size()),
              fmt::format("beyond {} million pixels in all scans, a byte may stand for {}: save it "
                          "anew, or leave it out",
                          kFreePixels >> 20, kPixelsOfByte));
}

}  // namespace knead::data
