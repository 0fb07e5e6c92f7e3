#include "runner/track/sinks/crc.h"

#include <array>

namespace knead::track {
namespace {

/// The remainders of all bytes for a polynomial, whose bits are in reversed order.
constexpr std::array<std::uint32_t, 256> remainders(std::uint32_t polynomial) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ (rest & 1 ? polynomial : 0);
    table[byte] = rest;
  }
  return table;
}

std::uint32_t crc_by(const std::array<std::uint32_t, 256>& table, std::string_view bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char byte : bytes)
    crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xff] ^ (crc >> 8);
  return ~crc;
}

constexpr auto kCastagnoli = remainders(0x82f63b78u);
constexpr auto kIeee = remainders(0xedb88320u);

}  // namespace

std::uint32_t crc32c(std::string_view bytes) { return crc_by(kCastagnoli, bytes); }

std::uint32_t crc32_ieee(std::string_view bytes) { return crc_by(kIeee, bytes); }

}  // namespace knead::track
