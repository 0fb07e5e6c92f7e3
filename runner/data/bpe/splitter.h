#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runner/files/budget.h"

namespace knead::data {

/// Splits text into pieces by a pattern. Compiles the pattern once. Several threads may use an
/// object at the same time.
class Splitter {
 public:
  /// Tells what a match becomes: a piece of its own, nothing, the end of the piece before, the
  /// beginning of the piece behind, or one piece together with the adjacent matches. Splitting
  /// "a-b" at "-" gives "a", "-", "b" for isolated; "a", "b" for removed; "a-", "b" for
  /// merged_with_previous; "a", "-b" for merged_with_next.
  enum class Matches { isolated, removed, merged_with_previous, merged_with_next, contiguous };

  /// `pattern`: a pattern of PCRE2. `is_inverted`: swaps matches and the text between them. `file`:
  /// holds the pattern, for messages. Throws knead::Error, which does not name the file, if the
  /// pattern is invalid.
  Splitter(const std::string& pattern, Matches matches, bool is_inverted, const std::string& file);
  ~Splitter();
  Splitter(Splitter&&) noexcept;
  Splitter& operator=(Splitter&&) = delete;

  /// Appends the pieces of a UTF-8 text in order, without empty ones. The pieces are views of
  /// `text`. Throws knead::Error with the byte if the pattern takes more work than `budget` has.
  void split(std::string_view text, std::vector<std::string_view>& pieces,
             files::Budget& budget) const;

  /// Calls `use` with all parts of a UTF-8 text in order: the matches, which may be empty, and the
  /// text between them. Throws as split() does.
  using Use = std::function<void(std::size_t begin, std::size_t end, bool is_match)>;
  void each_part(std::string_view text, const Use& use, files::Budget& budget) const;

  /// Returns whether the pattern matches anywhere in a UTF-8 text. Throws as split() does.
  bool is_found_in(std::string_view text, files::Budget& budget) const;

 private:
  struct Compiled;

  std::unique_ptr<const Compiled> compiled_;
  Matches matches_;
  bool is_inverted_;
};

}  // namespace knead::data
