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
  if (beginnings_.find(kept.word[0]) == beginnings_.npos) beginnings_ += kept.word[0];
  longest_ = std::max(longest_, kept.word.size());
}

// Looks for the first bytes of the words: most texts have few of them, so most bytes are passed by
// find_first_of().
void AddedTokens::cut(std::string_view text, std::vector<Part>& out, files::Budget& budget) const {
  std::size_t from = 0;  // everything before is in `out`
  std::size_t place = beginnings_.empty() ? text.npos : text.find_first_of(beginnings_);
  while (place != text.npos) {
    const AddedToken* token = find(text, place, budget);
    std::size_t end = token ? place + token->word.size() : place + 1;
    // The search continues behind the word itself, not behind its white space.
    const std::size_t next = end;
    if (token && (!token->is_single_word || is_single(text, place, end, budget))) {
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

// All words that the text begins with stand at or before it in the order of words. The last word
// there has a part in common with the text, and no longer word can be found beyond that part.
const AddedToken* AddedTokens::find(std::string_view text, std::size_t place,
                                    files::Budget& budget) const {
  std::string_view sought = text.substr(place, longest_);
  while (!sought.empty()) {
    const auto behind = by_word_.upper_bound(sought);
    if (behind == by_word_.begin()) break;
    const auto& [word, token] = *std::prev(behind);
    const auto end = std::ranges::mismatch(sought, word).in1;
    const auto common = static_cast<std::size_t>(end - sought.begin());
    if (common == word.size()) return token;
    budget.work(1 + common);
    sought = sought.substr(0, common);
  }
  return nullptr;
}

bool AddedTokens::is_single(std::string_view text, std::size_t begin, std::size_t end,
                            files::Budget& budget) const {
  const std::size_t before = begin > 0 ? begin_of_last(text, begin) : 0;
  std::size_t behind = end;
  if (end < text.size()) next_character(text, behind);
  const bool is_left =
      begin > 0 && letters_->is_found_in(text.substr(before, begin - before), budget);
  return !is_left &&
         !(end < text.size() && letters_->is_found_in(text.substr(end, behind - end), budget));
}

}  // namespace knead::data
