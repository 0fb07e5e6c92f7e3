#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runner/data/bpe/splitter.h"

namespace knead::data {

/// Describes a word that is one token wherever it occurs: "<|endoftext|>".
struct AddedToken {
  std::string word;
  std::uint32_t token = 0;
  bool is_single_word = false;     // matches only between characters that are not letters of words
  bool takes_left_space = false;   // includes the white space before the word
  bool takes_right_space = false;  // includes the white space after the word
};

/// Finds the words that a tokenizer adds to its vocabulary in a text.
class AddedTokens {
 public:
  /// Adds a word. Ignores an empty word and a word that was added before.
  void add(AddedToken token);

  /// Describes a part of a text: an added word, or the text between two of them.
  struct Part {
    std::string_view text;
    bool is_word;
    std::uint32_t token;  // valid if is_word
  };

  /// Appends the parts of a text in order. The leftmost word is found first, and the longest of
  /// several that begin at one place. `text` is UTF-8 and must outlive the parts.
  void cut(std::string_view text, std::vector<Part>& out) const;

 private:
  /// Returns the longest word that begins at `place`; null if there is none.
  const AddedToken* find(std::string_view text, std::size_t place) const;
  /// Returns whether no letter of a word stands directly before or after [begin, end).
  bool is_single(std::string_view text, std::size_t begin, std::size_t end) const;

  std::unordered_map<std::string_view, const AddedToken*> by_word_;
  std::vector<std::unique_ptr<const AddedToken>> tokens_;
  std::string beginnings_;                                      // first bytes of the words
  std::unordered_map<char, std::vector<std::size_t>> lengths_;  // by first byte; longest first
  std::shared_ptr<const Splitter> letters_;  // matches a letter of a word; null if unused
};

}  // namespace knead::data
