#pragma once

#include "runner/data/bpe/tokenizer.h"

namespace knead::data {

/// Encodes each character (Unicode code point) of the training text as a token, numbered in
/// ascending order of code points: a text "baab" gives the vocabulary a = 0, b = 1 and the tokens
/// 1, 0, 0, 1. Characters are not normalised: "é" as one code point and as e with an accent are
/// different. Line ends and spaces are characters as all others.
class Characters final : public Tokenizer {
 public:
  /// Reads the files and collects their characters; the order of the files does not matter. Holds
  /// one file at a time in memory. Throws knead::Error if a file cannot be read, and with file and
  /// byte if it is not UTF-8.
  explicit Characters(const std::vector<std::filesystem::path>& files);
  /// Makes the tokenizer that another one has described by description(). Throws the exceptions of
  /// nlohmann::json for anything else.
  static Characters described_by(const nlohmann::json& description);

  std::uint64_t vocabulary() const override { return characters_.size(); }
  /// Appends one token per character. Throws knead::Error with file, byte and character if the text
  /// has a character that the training text does not have, or is not UTF-8.
  void encode(std::string_view text, const std::string& file,
              std::vector<std::uint32_t>& out) const override;
  std::string decode(std::span<const std::uint32_t> tokens) const override;
  std::string words() const override;
  /// Returns an object whose "characters" is one UTF-8 string of all characters in the order of
  /// their tokens, which is all that is needed to decode.
  nlohmann::json description() const override;

 private:
  Characters() = default;

  /// Sets tokens_ from characters_.
  void number();

  std::vector<char32_t> characters_;  // by token, ascending
  std::vector<std::int32_t> tokens_;  // by character, up to the highest; -1: not in the vocabulary
};

}  // namespace knead::data
