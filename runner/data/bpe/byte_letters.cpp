#include "runner/data/bpe/byte_letters.h"

#include <array>
#include <unordered_map>

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

const std::array<std::string, 256>& letters_by_byte() {
  static const std::array<std::string, 256> kLetters = make_letters();
  return kLetters;
}

std::unordered_map<std::string_view, char> make_bytes() {
  std::unordered_map<std::string_view, char> bytes;
  for (std::size_t byte = 0; byte < 256; ++byte)
    bytes.emplace(letters_by_byte()[byte], static_cast<char>(byte));
  return bytes;
}

}  // namespace

std::optional<std::string> bytes_of_letters(std::string_view letters) {
  static const std::unordered_map<std::string_view, char> kBytes = make_bytes();
  std::string bytes;
  for (std::size_t at = 0; at < letters.size();) {
    const std::size_t begin = at;
    next_character(letters, at);
    const auto found = kBytes.find(letters.substr(begin, at - begin));
    if (found == kBytes.end()) return std::nullopt;
    bytes += found->second;
  }
  return bytes;
}

std::string letters_of_bytes(std::string_view bytes) {
  const std::array<std::string, 256>& by_byte = letters_by_byte();
  std::string letters;
  letters.reserve(bytes.size() + bytes.size() / 4);
  for (const char byte : bytes) letters += by_byte[static_cast<unsigned char>(byte)];
  return letters;
}

}  // namespace knead::data
