#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// Words that stand for numbers, the first for 0.
class Categories {
 public:
  explicit Categories(std::vector<std::string> words);

  std::size_t size() const { return words_.size(); }

  /// Throws knead::Error for a word that is none of them. `where`: what is put before the message;
  /// `key`: what the words are called in a recipe.
  std::int64_t number_of(std::string_view word, std::string_view where, std::string_view key) const;

 private:
  std::vector<std::string> words_;
  std::map<std::string, std::int64_t, std::less<>> numbers_;
};

}  // namespace knead::data
