#include "runner/data/bpe/added_tokens.h"

#include <algorithm>

#include "runner/data/bpe/character_class.h"

namespace knead::data {
namespace {

/// Returns where the white space that ends at `at` begins, but not less than `first`.
std::size_t begin_of_space(std::string_view text, std::size_t first, std::size_t at) {
  while (at > first) {
    const std::size_t begin = begin_of_last(text, at);
    std::size_t behind = begin;
    if (begin < first || !is_white_space(next_character(text, behind))) break;
    at = begin;
  }
  return at;
}

/// Returns where the white space that begins at `at` ends.
std::size_t end_of_space(std::string_view text, std::size_t at) {
  for (std::size_t behind = at; at < text.size(); at = behind) {
    if (!is_white_space(next_character(text, behind))) break;
  }
  return at;
}

}  // namespace

void AddedTokens::add(AddedToken token) {
  if (token.word.empty() || by_word_.contains(token.word)) return;
  if (token.is_single_word && !letters_)
    letters_ = std::make_shared<const Splitter>(character_class("rust word"),
                                                Splitter::Matches::isolated, false, "");
  tokens_.push_back(std::make_unique<const AddedToken>(std::move(token)));
  const AddedToken& kept = *tokens_.back();
  by_word_[kept.word] = &kept;
  std::vector<std::size_t>& lengths = lengths_[kept.word[0]];
  if (lengths.empty()) beginnings_ += kept.word[0];
  const auto place = std::ranges::lower_bound(lengths, kept.word.size(), std::greater());
  if (place == lengths.end() || *place != kept.word.size()) lengths.insert(place, kept.word.size());
}

// Looks for the first bytes of the words: most texts have few of them, so most bytes are passed by
// find_first_of().
void AddedTokens::cut(std::string_view text, std::vector<Part>& out) const {
  std::size_t from = 0;  // everything before is in `out`
  std::size_t place = beginnings_.empty() ? text.npos : text.find_first_of(beginnings_);
  while (place != text.npos) {
    const AddedToken* token = find(text, place);
    std::size_t end = token ? place + token->word.size() : place + 1;
    // The search continues behind the word itself, not behind its white space.
    const std::size_t next = end;
    if (token && (!token->is_single_word || is_single(text, place, end))) {
      std::size_t begin = place;
      if (token->takes_left_space) begin = std::max(begin_of_space(text, from, begin), from);
      if (token->takes_right_space) end = end_of_space(text, end);
      if (from < begin) out.push_back({text.substr(from, begin - from), false, 0});
      out.push_back({text.substr(begin, std::max(end, begin) - begin), true, token->token});
      from = end;
    }
    place = text.find_first_of(beginnings_, next);
  }
  if (from < text.size()) out.push_back({text.substr(from), false, 0});
}

const AddedToken* AddedTokens::find(std::string_view text, std::size_t place) const {
  for (const std::size_t length : lengths_.at(text[place])) {
    if (length > text.size() - place) continue;
    const auto found = by_word_.find(text.substr(place, length));
    if (found != by_word_.end()) return found->second;
  }
  return nullptr;
}

bool AddedTokens::is_single(std::string_view text, std::size_t begin, std::size_t end) const {
  const std::size_t before = begin > 0 ? begin_of_last(text, begin) : 0;
  std::size_t behind = end;
  if (end < text.size()) next_character(text, behind);
  const bool is_left = begin > 0 && letters_->is_found_in(text.substr(before, begin - before));
  return !is_left && !(end < text.size() && letters_->is_found_in(text.substr(end, behind - end)));
}

}  // namespace knead::data
