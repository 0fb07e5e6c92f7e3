#include "runner/data/text/characters.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include "runner/files/read.h"
#include "schema/document/error.h"
#include "schema/document/source.h"

namespace knead::data {
namespace {

constexpr std::size_t kCodePoints = 0x110000;

/// Calls `use` with each character of a UTF-8 text and the offset at which it begins. Throws
/// knead::Error if the text is not UTF-8.
template <class Use>
void each_character(std::string_view text, const std::string& file, Use use) {
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80) {
      use(static_cast<char32_t>(first), at++);
      continue;
    }
    const std::size_t length = schema::sequence_length(text, at);
    if (length == 0) expect_utf8(text.substr(0, std::min(at + 4, text.size())), file);
    char32_t character = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i)
      character = (character << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    use(character, at);
    at += length;
  }
}

std::string as_utf8(char32_t character) {
  const auto tail = [&](int shift) {
    return static_cast<char>(0x80 | ((character >> shift) & 0x3F));
  };
  if (character < 0x80) return {static_cast<char>(character)};
  if (character < 0x800) return {static_cast<char>(0xC0 | (character >> 6)), tail(0)};
  if (character < 0x10000) return {static_cast<char>(0xE0 | (character >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (character >> 18)), tail(12), tail(6), tail(0)};
}

/// Writes a character for a message; control characters only as a code point.
std::string shown(char32_t character) {
  const bool is_control = character < 0x20 || (character >= 0x7F && character < 0xA0);
  const std::string number = fmt::format("U+{:04X}", static_cast<std::uint32_t>(character));
  return is_control ? number : fmt::format("'{}' ({})", as_utf8(character), number);
}

}  // namespace

Characters::Characters(const std::vector<std::filesystem::path>& files) {
  // One bit for each code point takes 136 KiB, and gives the characters in ascending order.
  constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> is_there(kCodePoints / kBits);
  for (const auto& file : files) {
    const std::string text = files::read_text(file);
    each_character(text, file.string(), [&](char32_t character, std::size_t) {
      is_there[character / kBits] |= std::uint64_t{1} << (character % kBits);
    });
  }
  for (std::size_t i = 0; i < is_there.size(); ++i)
    for (std::uint64_t left = is_there[i]; left != 0; left &= left - 1)
      characters_.push_back(
          static_cast<char32_t>(i * kBits + static_cast<std::size_t>(std::countr_zero(left))));
  number();
}

Characters Characters::described_by(const nlohmann::json& description) {
  Characters out;
  each_character(description.at("characters").get_ref<const std::string&>(), "vocabulary.json",
                 [&](char32_t character, std::size_t) { out.characters_.push_back(character); });
  std::sort(out.characters_.begin(), out.characters_.end());
  out.number();
  return out;
}

void Characters::number() {
  for (std::size_t token = 0; token < characters_.size(); ++token) {
    tokens_.resize(characters_[token] + 1, -1);
    tokens_[characters_[token]] = static_cast<std::int32_t>(token);
  }
}

void Characters::encode(std::string_view text, const std::string& file,
                        std::vector<std::uint32_t>& out) const {
  each_character(text, file, [&](char32_t character, std::size_t at) {
    const std::int32_t token = character < tokens_.size() ? tokens_[character] : -1;
    if (token < 0)
      throw Error(
          fmt::format("{}: byte {} begins the character {}, which the training set does not "
                      "have",
                      file, at, shown(character)),
          "train on text that has it, take it out, or use tokenizer: bytes");
    out.push_back(static_cast<std::uint32_t>(token));
  });
}

std::string Characters::decode(std::span<const std::uint32_t> tokens) const {
  std::string text;
  for (const std::uint32_t token : tokens)
    if (token < characters_.size()) text += as_utf8(characters_[token]);
  return text;
}

std::string Characters::words() const { return fmt::format("{} characters", characters_.size()); }

nlohmann::json Characters::description() const {
  std::string all;
  for (const char32_t character : characters_) all += as_utf8(character);
  return {{"tokenizer", "characters"}, {"size", characters_.size()}, {"characters", all}};
}

}  // namespace knead::data
