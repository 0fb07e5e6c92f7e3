#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// A pattern by which text is cut into pieces before they are encoded, one by one. The patterns are
/// those that tokenizers come with, written for other engines: PCRE2 reads them as those would.
class Splitter {
 public:
  /// What becomes of the pieces: matches and what lies between them, the matches, or what lies
  /// between them.
  enum class Keep { all, matches, gaps };

  /// `where`: what holds the pattern, for messages. Throws knead::Error where it is no pattern.
  Splitter(const std::string& pattern, Keep keep, const std::string& where);
  ~Splitter();
  Splitter(Splitter&&) noexcept;
  Splitter& operator=(Splitter&&) = delete;

  /// Appends the pieces of a text, which is UTF-8, in their order; none is empty. Threads may call
  /// it at the same time. Throws knead::Error where the pattern takes too long.
  void split(std::string_view text, std::vector<std::string_view>& pieces) const;

 private:
  struct Compiled;

  std::unique_ptr<const Compiled> compiled_;
  Keep keep_;
};

/// A pattern that means in PCRE2 what it means in the regular expressions of Rust and Oniguruma:
/// `\s` is Unicode's white space.
std::string translated(std::string_view pattern, const std::string& where);

/// A pattern that matches a text to the letter.
std::string escaped(std::string_view text);

}  // namespace knead::data
