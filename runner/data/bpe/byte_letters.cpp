#include "runner/data/bpe/byte_letters.h"

#include <array>

#include "runner/data/bpe/character_class.h"

namespace knead::data {
namespace {

/// Returns whether GPT-2 uses the byte itself as its letter.
bool is_printable(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

/// Returns the letter of each byte as UTF-8.
std::array<std::string, 256> make_letters() {
  std::array<std::string, 256> letters;
  char32_t next = 0x100;
  for (int byte = 0; byte < 256; ++byte)
    append_character(letters[static_cast<std::size_t>(byte)],
                     is_printable(byte) ? static_cast<char32_t>(byte) : next++);
  return letters;
}

}  // namespace

std::string letters_of_bytes(std::string_view bytes) {
  static const std::array<std::string, 256> kLetters = make_letters();
  std::string letters;
  letters.reserve(bytes.size() + bytes.size() / 4);
  for (const char byte : bytes) letters += kLetters[static_cast<unsigned char>(byte)];
  return letters;
}

}  // namespace knead::data
