#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace knead::data {

/// How the characters of a piece are looked up, and what stands for those that are no token.
struct Spelling {
  std::string prefix;                  // before each character but the first
  std::string suffix;                  // behind the last
  bool has_byte_tokens = false;        // a character may be its bytes, as in <0xC3><0xA9>
  std::optional<std::string> unknown;  // the token for what has no other
  bool joins_unknown = false;          // unknown characters in a row are one token
};

/// A vocabulary of words and which two of them are joined before which others: byte pair encoding
/// (Sennrich, Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units, 2016)
/// over characters. Words are UTF-8.
class Merges {
 public:
  /// Declares a token. False if the word has another one already.
  bool add(std::string word, std::uint32_t token);

  /// Is said before anything is joined.
  void spell(Spelling spelling) { spelling_ = std::move(spelling); }

  /// Declares that two tokens are joined; what is declared earlier is joined first. False if one of
  /// the three is no token.
  bool join(std::string_view left, std::string_view right);

  /// Says that tokens are joined wherever the result is one, that of the lowest number first: then
  /// nothing need be declared by join().
  void join_by_number() { by_number_ = true; }

  /// Says that a piece that is a token as a whole is not taken apart.
  void keep_whole() { keep_whole_ = true; }

  std::optional<std::uint32_t> find(std::string_view word) const;

  /// How many words there are.
  std::size_t words() const { return tokens_.size(); }

  /// One more than the highest token.
  std::uint64_t size() const { return size_; }

  /// Appends the tokens of a piece. Nothing is returned; or, where a character of it is no token,
  /// its place, and nothing is appended.
  std::optional<std::size_t> encode(std::string_view piece, std::vector<std::uint32_t>& out) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view bytes) const {
      return std::hash<std::string_view>()(bytes);
    }
  };
  struct Join {
    std::uint32_t rank;
    std::uint32_t token;
  };
  class Speller;

  std::optional<Join> join_of(std::uint32_t left, std::uint32_t right) const;
  std::vector<std::uint32_t> ends_of(std::string_view word, bool last) const;
  void join_parts(const std::vector<std::uint32_t>& tokens, std::vector<std::uint32_t>& out) const;
  void join_all(std::vector<std::uint32_t>& tokens) const;

  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> tokens_;
  std::unordered_map<std::uint32_t, std::string_view> words_;  // of tokens_
  std::unordered_map<std::uint64_t, Join> joins_;
  std::unordered_set<std::uint64_t> joints_;  // a character's token and the next one's, in a word
  Spelling spelling_;
  std::uint32_t next_rank_ = 0;
  bool by_number_ = false;
  bool keep_whole_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace knead::data
