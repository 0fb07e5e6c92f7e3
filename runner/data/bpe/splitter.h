#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// A pattern by which text is cut into pieces. Threads may use it at the same time.
class Splitter {
 public:
  /// What becomes of a match: it is a piece, is left out, is the end of the piece before it, or the
  /// beginning of the piece behind it; or matches in a row are one piece.
  enum class Matches { isolated, removed, merged_with_previous, merged_with_next, contiguous };

  /// `pattern` is one of PCRE2. `is_inverted`: what lies between matches is a match, and matches
  /// are not. `file` holds the pattern, for messages. Throws knead::Error, which does not name the
  /// file, where it is no pattern.
  Splitter(const std::string& pattern, Matches matches, bool is_inverted, const std::string& file);
  ~Splitter();
  Splitter(Splitter&&) noexcept;
  Splitter& operator=(Splitter&&) = delete;

  /// Appends the pieces of a text, which is UTF-8, in their order; none is empty. Throws
  /// knead::Error where the pattern takes too long.
  void split(std::string_view text, std::vector<std::string_view>& pieces) const;

  /// Calls `use` with all parts of a text in their order: matches, which may be empty, and what
  /// lies between them. Throws as split() does.
  using Use = std::function<void(std::size_t begin, std::size_t end, bool is_match)>;
  void each_part(std::string_view text, const Use& use) const;

  /// Whether the pattern matches anywhere in a text.
  bool is_found_in(std::string_view text) const;

 private:
  struct Compiled;

  std::unique_ptr<const Compiled> compiled_;
  Matches matches_;
  bool is_inverted_;
};

}  // namespace knead::data
