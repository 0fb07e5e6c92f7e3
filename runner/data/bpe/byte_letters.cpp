#include "runner/data/bpe/byte_letters.h"

#include <array>

namespace knead::data {
namespace {

constexpr int kLetters = 0x144;  // one more than the last letter

bool is_printable(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

/// By letter, its byte; -1 where there is none.
std::array<int, kLetters> make_bytes() {
  std::array<int, kLetters> bytes;
  bytes.fill(-1);
  int next = 0x100;
  for (int byte = 0; byte < 256; ++byte)
    bytes[static_cast<std::size_t>(is_printable(byte) ? byte : next++)] = byte;
  return bytes;
}

}  // namespace

std::optional<std::string> bytes_of_letters(std::string_view word) {
  static const std::array<int, kLetters> kBytes = make_bytes();
  std::string bytes;
  for (std::size_t i = 0; i < word.size(); ++i) {
    unsigned letter = static_cast<unsigned char>(word[i]);
    if (letter >= 0x80) {  // letters are below U+0800: two bytes of UTF-8
      if ((letter & 0xE0) != 0xC0 || ++i == word.size()) return std::nullopt;
      letter = ((letter & 0x1FU) << 6) | (static_cast<unsigned char>(word[i]) & 0x3FU);
    }
    if (letter >= kLetters || kBytes[letter] < 0) return std::nullopt;
    bytes += static_cast<char>(kBytes[letter]);
  }
  return bytes;
}

}  // namespace knead::data
