#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// Words that are tokens wherever they stand, whatever is around them: "<|endoftext|>".
class AddedTokens {
 public:
  void add(std::string word, std::uint32_t token) { words_.push_back({std::move(word), token}); }
  bool empty() const { return words_.empty(); }

  /// A part of a text: one of the words, or what lies between two of them.
  struct Part {
    std::string_view text;
    bool is_word;
    std::uint32_t token;
  };

  /// The parts of a text, the leftmost word first, the longest where several begin at one place.
  void cut(std::string_view text, std::vector<Part>& out) const;

 private:
  struct Word {
    std::string text;
    std::uint32_t token;
  };
  const Word* at(std::string_view text, std::size_t place) const;

  std::vector<Word> words_;
};

}  // namespace knead::data
