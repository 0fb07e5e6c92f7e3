#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// Maps words to numbers, the first word to 0. Immutable: threads may share it. Lookup is O(log n).
class Categories {
 public:
  /// `words`: by number. The schema refuses duplicates in a recipe; of equal words the first one
  /// counts.
  explicit Categories(std::vector<std::string> words);

  /// Returns the number of words.
  std::size_t size() const { return words_.size(); }

  /// Returns the number of a word, compared byte by byte. Throws knead::Error with the most similar
  /// word if the word is unknown. `where`: put before the message; `key`: the recipe's name for the
  /// words.
  std::int64_t number_of(std::string_view word, std::string_view where, std::string_view key) const;

 private:
  std::vector<std::string> words_;
  std::map<std::string, std::int64_t, std::less<>> numbers_;
};

}  // namespace knead::data
