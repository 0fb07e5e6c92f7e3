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

/// Turns text into numbers. Is made when a set is opened; what it was made from stays with it.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Tokens are below it.
  virtual std::uint64_t vocabulary() const = 0;

  /// Appends the tokens of a text. `file` is for messages. Throws knead::Error with file and byte
  /// where the text is not UTF-8 or holds what the vocabulary does not.
  virtual void encode(std::string_view text, const std::string& file,
                      std::vector<std::uint32_t>& out) const = 0;

  /// What it is, in words: "65 characters".
  virtual std::string words() const = 0;

  /// What it is, for what later has to encode or decode: the content of vocabulary.json.
  virtual nlohmann::json description() const = 0;

  /// The file that it was read from, if any: kept with a run, under the name that description()
  /// gives as "file".
  virtual std::optional<std::filesystem::path> file() const { return std::nullopt; }
};

/// Throws knead::Error with file and byte unless the text is UTF-8.
void expect_utf8(std::string_view text, const std::string& file);

}  // namespace knead::data
