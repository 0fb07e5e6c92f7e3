#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace knead::data {

/// Turns text into tokens. A tokenizer is made when a set is opened and keeps what it was made
/// from. It does not change afterwards: any thread may call any member. One tokenizer serves all
/// sets of a recipe, so that equal text has equal tokens.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Returns the size of the vocabulary; all tokens are below. A model needs as many embeddings.
  virtual std::uint64_t vocabulary() const = 0;

  /// Appends the tokens of a text to `out`. The text is a whole file: nothing is added at its ends.
  /// `file`: for messages. Throws knead::Error with the file if the text is not UTF-8 (but for
  /// bytes) or has a character without a token; `out` may then hold the tokens before it.
  virtual void encode(std::string_view text, const std::string& file,
                      std::vector<std::uint32_t>& out) const = 0;

  /// Returns the text that tokens stand for. It may begin or end within a character. A token that
  /// has no text, because no word has its number, adds nothing.
  virtual std::string decode(std::span<const std::uint32_t> tokens) const = 0;

  /// Describes the tokenizer to a person: "65 characters".
  virtual std::string words() const = 0;

  /// Describes the tokenizer to programs that encode or decode later: the content of
  /// vocabulary.json, with the keys "tokenizer" and "size" and those of its kind.
  virtual nlohmann::json description() const = 0;

  /// Returns the file that the tokenizer was read from, if any. A run keeps a copy of it under the
  /// name that description() gives as "file".
  virtual std::optional<std::filesystem::path> file() const { return std::nullopt; }
};

/// Throws knead::Error with file and byte if the text is not UTF-8. Surrogates and overlong forms
/// are not UTF-8.
void expect_utf8(std::string_view text, const std::string& file);

}  // namespace knead::data
