#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runner/data/bpe/splitter.h"

namespace knead::data {

/// A word that is a token wherever it stands: "<|endoftext|>".
struct AddedToken {
  std::string word;
  std::uint32_t token = 0;
  bool is_single_word = false;    // only where no word goes on to its left or right
  bool takes_left_space = false;  // white space before it belongs to it
  bool takes_right_space = false;
};

/// The words that a tokenizer adds to its vocabulary, and how they are found in a text.
class AddedTokens {
 public:
  /// Adds a word. One that is empty is never found; of two that are equal the first is.
  void add(AddedToken token);

  /// A part of a text: one of the words, or what lies between two of them.
  struct Part {
    std::string_view text;
    bool is_word;
    std::uint32_t token;
  };

  /// The parts of a text, the leftmost word first, the longest where several begin at one place.
  /// `text` is UTF-8.
  void cut(std::string_view text, std::vector<Part>& out) const;

 private:
  const AddedToken* find(std::string_view text, std::size_t place) const;
  bool is_single(std::string_view text, std::size_t begin, std::size_t end) const;

  std::unordered_map<std::string_view, const AddedToken*> by_word_;
  std::vector<std::unique_ptr<const AddedToken>> tokens_;
  std::string beginnings_;                                      // the first bytes of the words
  std::unordered_map<char, std::vector<std::size_t>> lengths_;  // by first byte; longest first
  std::shared_ptr<const Splitter> letters_;  // of words; where a token asks for it
};

}  // namespace knead::data
