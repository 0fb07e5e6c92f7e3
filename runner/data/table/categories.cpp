#include "runner/data/table/categories.h"

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/document/suggest.h"

namespace knead::data {

Categories::Categories(std::vector<std::string> words) : words_(std::move(words)) {
  for (std::size_t i = 0; i < words_.size(); ++i)
    numbers_.emplace(words_[i], static_cast<std::int64_t>(i));
}

std::int64_t Categories::number_of(std::string_view word, std::string_view where,
                                   std::string_view key) const {
  const auto found = numbers_.find(word);
  if (found != numbers_.end()) return found->second;
  // A cell may be of any length, up to the rest of a file whose quotes are damaged.
  constexpr std::size_t kMost = 40;
  throw Error(fmt::format("{}: '{}' is none of the {} {}", where, word.substr(0, kMost),
                          words_.size(), key),
              schema::did_you_mean(word, words_,
                                   fmt::format("add it to {}, or leave the sample out", key)));
}

}  // namespace knead::data
