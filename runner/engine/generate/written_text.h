#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runner/data/bpe/tokenizer.h"

namespace knead::engine {

/// Turns generated tokens into text as they come: characters whole, and nothing of a text that ends
/// the writing, even if it comes in several tokens. Borrows the tokenizer and the texts.
class WrittenText {
 public:
  WrittenText(const data::Tokenizer& tokenizer, const std::vector<std::string>& stops)
      : tokenizer_(tokenizer), stops_(stops) {}

  /// Adds a token. Returns false once one of the stops is written.
  bool add(std::uint32_t token);

  /// Returns what is certain of the text and was not returned before; all of it once `is_over`.
  /// Bytes that are no UTF-8 become U+FFFD.
  std::string next(bool is_over);

  /// Returns the whole text, without the stop and what follows it.
  std::string text() const;

 private:
  /// Returns the bytes at the end of the text with which a stop may begin, or a character.
  std::size_t uncertain(const std::string& text) const;

  const data::Tokenizer& tokenizer_;
  const std::vector<std::string>& stops_;
  std::vector<std::uint32_t> tokens_;
  std::optional<std::size_t> end_;  // bytes before the stop
  std::size_t returned_ = 0;        // bytes of the text
};

}  // namespace knead::engine
