#include "runner/data/bpe/merges.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include <fmt/format.h>

namespace knead::data {
namespace {

constexpr std::int32_t kNone = -1;  // index of no neighbour

/// Links a token of a piece to its neighbours.
struct Link {
  std::uint32_t token;
  std::int32_t before;
  std::int32_t after;
};

/// Describes a possible merge of two neighbours. It is outdated if one of their tokens has changed
/// since.
struct Candidate {
  std::uint32_t rank;
  std::int32_t left;
  std::int32_t right;
  std::uint32_t token;  // result of the merge
  std::uint32_t left_token;
  std::uint32_t right_token;

  /// Orders a std::priority_queue so that the lowest rank comes first, and of equal ranks the
  /// leftmost.
  bool operator<(const Candidate& other) const {
    return std::tie(rank, left) > std::tie(other.rank, other.left);
  }
};

std::uint64_t pair_of(std::uint32_t left, std::uint32_t right) {
  return (std::uint64_t{left} << 32) | right;
}

/// Returns the size in bytes of the UTF-8 character that begins at `at`.
std::size_t character_size(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return end - at;
}

std::string byte_token(char byte) {
  return fmt::format("<0x{:02X}>", static_cast<unsigned char>(byte));
}

bool is_byte_token(std::string_view word) {
  return word.size() == 6 && word.starts_with("<0x") && word.ends_with('>');
}

}  // namespace

/// Splits a piece into the tokens of its characters.
class Merges::Speller {
 public:
  Speller(const Merges& merges, std::string_view piece) : merges_(merges), piece_(piece) {}

  /// Appends the tokens and returns std::nullopt, or returns the offset of a character without a
  /// token.
  std::optional<std::size_t> run(std::vector<std::uint32_t>& out) {
    for (std::size_t at = 0; at < piece_.size();) {
      const std::size_t size = character_size(piece_, at);
      if (!take(written(at, size), out)) return at;
      at += size;
    }
    flush(out);
    return std::nullopt;
  }

 private:
  /// Returns the character at an offset with the prefix or suffix that the vocabulary has there.
  std::string_view written(std::size_t at, std::size_t size) {
    const std::string_view character = piece_.substr(at, size);
    const Spelling& spelling = merges_.spelling_;
    const bool has_prefix = at > 0 && !spelling.prefix.empty();
    const bool has_suffix = at + size == piece_.size() && !spelling.suffix.empty();
    if (!has_prefix && !has_suffix) return character;
    written_ = has_prefix ? spelling.prefix : "";
    written_ += character;
    if (has_suffix) written_ += spelling.suffix;
    return written_;
  }

  /// Appends the token of a character. Returns false if it has none.
  bool take(std::string_view character, std::vector<std::uint32_t>& out) {
    if (const auto token = merges_.find(character)) {
      flush(out);
      out.push_back(*token);
      return true;
    }
    if (merges_.spelling_.has_byte_tokens && take_bytes(character, out)) return true;
    if (!merges_.spelling_.unknown) return false;
    const auto unknown = merges_.find(*merges_.spelling_.unknown);
    if (!unknown) return false;
    if (!merges_.spelling_.joins_unknown) flush(out);
    unknown_ = unknown;
    return true;
  }

  /// Appends the tokens of the bytes of a character. As in the tokenizers library, an unknown
  /// character before it is held back and appended behind it.
  bool take_bytes(std::string_view character, std::vector<std::uint32_t>& out) const {
    const std::size_t before = out.size();
    for (const char byte : character) {
      const auto token = merges_.find(byte_token(byte));
      if (!token) {
        out.resize(before);
        return false;
      }
      out.push_back(*token);
    }
    return true;
  }

  /// Appends the token of the unknown characters that are held back.
  void flush(std::vector<std::uint32_t>& out) {
    if (unknown_) out.push_back(*unknown_);
    unknown_.reset();
  }

  const Merges& merges_;
  std::string_view piece_;
  std::string written_;
  // Holds the token of unknown characters until the next known one, so that adjacent ones may join.
  std::optional<std::uint32_t> unknown_;
};

bool Merges::add(std::string word, std::uint32_t token) {
  const auto [place, is_new] = tokens_.emplace(std::move(word), token);
  if (!is_new) return place->second == token;
  words_[token] = place->first;
  size_ = std::max<std::uint64_t>(size_, token + 1ULL);
  return true;
}

bool Merges::join(std::string_view left, std::string_view right) {
  const auto a = find(left);
  const auto b = find(right);
  if (!a || !b || right.size() < spelling_.prefix.size()) return false;
  const auto whole = find(std::string(left).append(right.substr(spelling_.prefix.size())));
  if (!whole) return false;
  const auto rank = next_rank_++;
  joins_[pair_of(*a, *b)] = {rank, *whole};
  for (const std::uint32_t last : ends_of(left, /*last=*/true)) {
    for (const std::uint32_t first : ends_of(right, /*last=*/false))
      joints_.insert(pair_of(last, first));
  }
  return true;
}

/// A character at an end of a word is written as its own token or, if the word stands for a byte or
/// for unknown characters, as the token of the word.
std::vector<std::uint32_t> Merges::ends_of(std::string_view word, bool last) const {
  std::vector<std::uint32_t> ends;
  if (is_byte_token(word) || word == spelling_.unknown) ends.push_back(*find(word));
  std::size_t begin = 0;
  while (last && begin + character_size(word, begin) < word.size())
    begin += character_size(word, begin);
  const auto end = find(word.substr(begin, character_size(word, begin)));
  if (end) ends.push_back(*end);
  return ends;
}

std::optional<std::uint32_t> Merges::find(std::string_view word) const {
  const auto found = tokens_.find(word);
  return found == tokens_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string_view> Merges::word(std::uint32_t token) const {
  const auto found = words_.find(token);
  return found == words_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Merges::Join> Merges::join_of(std::uint32_t left, std::uint32_t right) const {
  if (by_number_) {
    const auto whole = find(std::string(words_.at(left)).append(words_.at(right)));
    return whole ? std::optional(Join{*whole, *whole}) : std::nullopt;
  }
  const auto found = joins_.find(pair_of(left, right));
  return found == joins_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> Merges::encode(std::string_view piece,
                                          std::vector<std::uint32_t>& out) const {
  if (keep_whole_) {
    if (const auto whole = find(piece)) {
      out.push_back(*whole);
      return std::nullopt;
    }
  }
  std::vector<std::uint32_t> tokens;
  if (const auto missing = Speller(*this, piece).run(tokens)) return missing;
  join_parts(tokens, out);
  return std::nullopt;
}

void Merges::join_parts(const std::vector<std::uint32_t>& tokens,
                        std::vector<std::uint32_t>& out) const {
  // Without a pre_tokenizer a whole text is one piece. The piece is cut where no two tokens can be
  // merged, which does not change the result and bounds the memory.
  constexpr std::size_t kLong = 256;
  const bool can_cut =
      tokens.size() > kLong && !by_number_ && spelling_.prefix.empty() && spelling_.suffix.empty();
  for (std::size_t begin = 0, end; begin < tokens.size(); begin = end) {
    end = can_cut ? begin + 1 : tokens.size();
    while (end < tokens.size() && joints_.contains(pair_of(tokens[end - 1], tokens[end]))) ++end;
    std::vector<std::uint32_t> part(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                                    tokens.begin() + static_cast<std::ptrdiff_t>(end));
    join_all(part);
    out.insert(out.end(), part.begin(), part.end());
  }
}

void Merges::join_all(std::vector<std::uint32_t>& tokens) const {
  const auto count = static_cast<std::int32_t>(tokens.size());
  std::vector<Link> links;
  for (std::int32_t i = 0; i < count; ++i)
    links.push_back({tokens[static_cast<std::size_t>(i)], i - 1, i + 1 < count ? i + 1 : kNone});
  const auto link = [&](std::int32_t place) -> Link& {
    return links[static_cast<std::size_t>(place)];
  };
  std::vector<bool> is_gone(tokens.size());
  // A queue makes the work n log n; outdated candidates stay in it and are skipped.
  std::priority_queue<Candidate> candidates;
  const auto consider = [&](std::int32_t left) {
    const std::int32_t right = left == kNone ? kNone : link(left).after;
    if (right == kNone) return;
    if (const auto join = join_of(link(left).token, link(right).token))
      candidates.push({join->rank, left, right, join->token, link(left).token, link(right).token});
  };
  for (std::int32_t i = 0; i + 1 < count; ++i) consider(i);
  while (!candidates.empty()) {
    const Candidate next = candidates.top();
    candidates.pop();
    Link& left = link(next.left);
    const bool is_as_it_was = !is_gone[static_cast<std::size_t>(next.left)] &&
                              left.after == next.right && left.token == next.left_token &&
                              link(next.right).token == next.right_token;
    if (!is_as_it_was) continue;
    left.token = next.token;
    left.after = link(next.right).after;
    is_gone[static_cast<std::size_t>(next.right)] = true;
    if (left.after != kNone) link(left.after).before = next.left;
    consider(left.before);
    consider(next.left);
  }
  tokens.clear();
  for (std::int32_t i = 0; i != kNone && i < count; i = link(i).after)
    tokens.push_back(link(i).token);
}

}  // namespace knead::data
