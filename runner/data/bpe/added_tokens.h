#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runner/data/bpe/splitter.h"

namespace knead::data {

/// Describes a word that is one token wherever it occurs: "<|endoftext|>". The white space that it
/// takes is part of the token and is lost when tokens are decoded.
struct AddedToken {
  std::string word;
  std::uint32_t token = 0;
  bool is_single_word = false;     // matches only between characters that are not letters of words
  bool takes_left_space = false;   // includes the white space before the word
  bool takes_right_space = false;  // includes the white space after the word
};

/// Finds the words that a tokenizer adds to its vocabulary in a text, as the tokenizers library
/// does. First add() all words, then share the object: any thread may call cut(). Movable, not
/// copyable.
class AddedTokens {
 public:
  /// Adds a word. Ignores an empty word and a word that was added before: the first one counts.
  void add(AddedToken token);

  /// Describes a part of a text: an added word with its white space, or the text between two of
  /// them, which is not empty.
  struct Part {
    std::string_view text;
    bool is_word;
    std::uint32_t token;  // valid if is_word
  };

  /// Appends the parts of a text in order. The leftmost word is found first, and the longest of
  /// several that begin at one place; if that one must stand alone and does not, a shorter one is
  /// not tried. `text` is UTF-8 and must outlive the parts. Example with the word <e>: "a<e>b"
  /// gives "a", <e> and "b". Takes the work from `budget`.
  void cut(std::string_view text, std::vector<Part>& out, files::Budget& budget) const;

 private:
  /// Returns the longest word that begins at `place`; null if there is none.
  const AddedToken* find(std::string_view text, std::size_t place, files::Budget& budget) const;
  /// Returns whether no letter of a word stands directly before or after [begin, end).
  bool is_single(std::string_view text, std::size_t begin, std::size_t end,
                 files::Budget& budget) const;

  std::map<std::string_view, const AddedToken*> by_word_;
  std::vector<std::unique_ptr<const AddedToken>> tokens_;
  std::string beginnings_;                   // first bytes of the words
  std::size_t longest_ = 0;                  // bytes of the longest word
  std::shared_ptr<const Splitter> letters_;  // matches a letter of a word; null if unused
};

}  // namespace knead::data
