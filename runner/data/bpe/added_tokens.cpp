#include "runner/data/bpe/added_tokens.h"

namespace knead::data {

void AddedTokens::cut(std::string_view text, std::vector<Part>& out) const {
  std::string beginnings;
  for (const Word& word : words_) beginnings += word.text[0];
  std::size_t from = 0;
  std::size_t place = beginnings.empty() ? text.npos : text.find_first_of(beginnings);
  while (place != text.npos) {
    const Word* word = at(text, place);
    if (word) {
      if (from < place) out.push_back({text.substr(from, place - from), false, 0});
      out.push_back({text.substr(place, word->text.size()), true, word->token});
      from = place + word->text.size();
    }
    place = text.find_first_of(beginnings, word ? from : place + 1);
  }
  if (from < text.size()) out.push_back({text.substr(from), false, 0});
}

const AddedTokens::Word* AddedTokens::at(std::string_view text, std::size_t place) const {
  const Word* longest = nullptr;
  for (const Word& word : words_) {
    const bool is_here = text.compare(place, word.text.size(), word.text) == 0;
    if (is_here && (!longest || word.text.size() > longest->text.size())) longest = &word;
  }
  return longest;
}

}  // namespace knead::data
