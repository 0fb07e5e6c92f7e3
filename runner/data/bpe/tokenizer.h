#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace knead::data {

/// Turns text into tokens. A tokenizer is made when a set is opened and keeps what it was made
/// from.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Returns the size of the vocabulary; all tokens are below.
  virtual std::uint64_t vocabulary() const = 0;

  /// Appends the tokens of a text. `file`: for messages. Throws knead::Error with the file if the
  /// text is not UTF-8 or has a character without a token.
  virtual void encode(std::string_view text, const std::string& file,
                      std::vector<std::uint32_t>& out) const = 0;

  /// Describes the tokenizer to a person: "65 characters".
  virtual std::string words() const = 0;

  /// Describes the tokenizer to programs that encode or decode later: the content of
  /// vocabulary.json.
  virtual nlohmann::json description() const = 0;

  /// Returns the file that the tokenizer was read from, if any. A run keeps a copy of it under the
  /// name that description() gives as "file".
  virtual std::optional<std::filesystem::path> file() const { return std::nullopt; }
};

/// Throws knead::Error with file and byte if the text is not UTF-8.
void expect_utf8(std::string_view text, const std::string& file);

}  // namespace knead::data
