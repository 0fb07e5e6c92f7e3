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

/// Describes how the characters of a piece are looked up, and what replaces unknown ones. BERT's
/// "##" is a prefix, the "</w>" of older tokenizers is a suffix.
struct Spelling {
  std::string prefix;                  // put before each character but the first
  std::string suffix;                  // put behind the last character
  bool has_byte_tokens = false;        // an unknown character becomes its bytes, <0xC3><0xA9>
  std::optional<std::string> unknown;  // token for a character that has no other
  bool joins_unknown = false;          // adjacent unknown characters become one token
};

/// Encodes pieces of text by byte pair encoding over characters (Sennrich, Haddow, Birch: Neural
/// Machine Translation of Rare Words with Subword Units, 2016). Words are UTF-8.
///
/// Usage: add() all tokens, spell() once if the vocabulary writes prefixes or suffixes, then join()
/// the merges in their order, or join_by_number(). From then on the object does not change, and any
/// thread may call encode().
class Merges {
 public:
  /// Adds a token. Returns false, and changes nothing, if the word already has another token.
  bool add(std::string word, std::uint32_t token);

  /// Sets the spelling of characters; must precede all calls of join().
  void spell(Spelling spelling) { spelling_ = std::move(spelling); }

  /// Adds a merge of two words; earlier merges are applied first. Returns false, and adds nothing,
  /// if one of the words or their concatenation (without the prefix of the second) is not a token.
  bool join(std::string_view left, std::string_view right);

  /// Merges any two tokens whose concatenation is a token, the lowest resulting number first,
  /// instead of the merges added by join(), as tiktoken does.
  void join_by_number() { by_number_ = true; }

  /// Encodes a piece that is a token as this token, without applying merges.
  void keep_whole() { keep_whole_ = true; }

  /// Returns the token of a word; std::nullopt if the word is not in the vocabulary.
  std::optional<std::uint32_t> find(std::string_view word) const;

  /// Returns the word of a token; std::nullopt if the vocabulary has none for it.
  std::optional<std::string_view> word(std::uint32_t token) const;

  /// Returns the number of words.
  std::size_t words() const { return tokens_.size(); }

  /// Returns one more than the highest token.
  std::uint64_t size() const { return size_; }

  /// Appends the tokens of a piece and returns std::nullopt. If a character has no token, appends
  /// nothing and returns the offset of that character in bytes. O(n log n) in the number of
  /// characters.
  std::optional<std::size_t> encode(std::string_view piece, std::vector<std::uint32_t>& out) const;

 private:
  /// Hashes strings so that a std::string_view can be looked up without a copy.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view bytes) const {
      return std::hash<std::string_view>()(bytes);
    }
  };
  /// Describes a merge by its priority, lowest first, and the resulting token.
  struct Join {
    std::uint32_t rank;
    std::uint32_t token;
  };
  /// Splits a piece into the tokens of its characters.
  class Speller;

  /// Returns the merge of two adjacent tokens, if there is one.
  std::optional<Join> join_of(std::uint32_t left, std::uint32_t right) const;
  /// Returns the tokens with which a word may end (`last`) or begin when it is written by
  /// characters.
  std::vector<std::uint32_t> ends_of(std::string_view word, bool last) const;
  /// Merges the tokens of a piece part by part and appends the result.
  void join_parts(const std::vector<std::uint32_t>& tokens, std::vector<std::uint32_t>& out) const;
  /// Applies all merges to tokens in place.
  void join_all(std::vector<std::uint32_t>& tokens) const;

  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> tokens_;
  std::unordered_map<std::uint32_t, std::string_view> words_;  // views into tokens_
  std::unordered_map<std::uint64_t, Join> joins_;
  /// Holds the pairs of character tokens that stand side by side where some merge joins two words.
  std::unordered_set<std::uint64_t> joints_;
  Spelling spelling_;
  std::uint32_t next_rank_ = 0;
  bool by_number_ = false;
  bool keep_whole_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace knead::data
