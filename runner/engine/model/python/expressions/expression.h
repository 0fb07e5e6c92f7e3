#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace knead::engine::model {

/// A regular expression of Python's module re, matched by PCRE2. Not thread-safe.
class Expression {
 public:
  /// The flags of re as bits: IGNORECASE 2, MULTILINE 8, DOTALL 16, VERBOSE 64, ASCII 256; others
  /// are without effect. Throws Mistake with the exception `error` for a wrong pattern.
  Expression(const std::string& pattern, std::int64_t flags);

  enum class Mode { search, match, fullmatch };

  /// Begin and end of the match and of each group, in bytes; npos for a group without a part.
  using Spans = std::vector<std::pair<std::size_t, std::size_t>>;

  /// Returns the first match at or after a byte of the text. With `advances`, an empty match at
  /// that byte does not count. Throws Mistake if the match takes too many steps.
  std::optional<Spans> find(const std::string& text, std::size_t from, Mode mode,
                            bool advances) const;

  /// Returns the number of groups, and those that have a name.
  std::size_t groups() const { return groups_; }
  const std::vector<std::pair<std::string, std::size_t>>& names() const { return names_; }

 private:
  std::shared_ptr<void> code_;  // pcre2_code
  std::size_t groups_ = 0;
  std::vector<std::pair<std::string, std::size_t>> names_;
};

}  // namespace knead::engine::model
