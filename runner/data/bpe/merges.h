#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace knead::data {

/// A vocabulary of byte strings and which two of them are joined before which others: byte pair
/// encoding (Sennrich, Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units,
/// 2016) over bytes.
class Merges {
 public:
  /// Declares a token. False if the bytes have another one already.
  bool add(std::string bytes, std::uint32_t token);

  /// Declares that two tokens are joined; what is declared earlier is joined first. False if one of
  /// the three is no token.
  bool join(std::string_view left, std::string_view right);

  /// Says that tokens are joined wherever the result is one, that of the lowest number first: then
  /// nothing need be declared by join().
  void join_by_number() { by_number_ = true; }

  /// Says that a piece that is a token as a whole is not taken apart.
  void keep_whole() { keep_whole_ = true; }

  std::optional<std::uint32_t> find(std::string_view bytes) const;

  /// One more than the highest token.
  std::uint64_t size() const { return size_; }

  /// Appends the tokens of a piece. Nothing is returned; or, where a byte of it is no token, its
  /// place, and nothing is appended.
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

  std::optional<Join> join_of(std::uint32_t left, std::uint32_t right) const;
  void join_all(std::vector<std::uint32_t>& tokens) const;

  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> tokens_;
  std::unordered_map<std::uint32_t, std::string_view> bytes_;  // of tokens_
  std::unordered_map<std::uint64_t, Join> joins_;
  bool by_number_ = false;
  bool keep_whole_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace knead::data
