#pragma once

#include <cstdint>
#include <string_view>

namespace knead::track {

/// Computes CRC-32C (Castagnoli; RFC 3720, appendix B.4): "123456789" gives 0xe3069283.
std::uint32_t crc32c(std::string_view bytes);

/// Computes CRC-32 (IEEE 802.3, as zip and PNG use it): "123456789" gives 0xcbf43926.
std::uint32_t crc32_ieee(std::string_view bytes);

}  // namespace knead::track
