#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace knead::schema {

/// A place in a text that a regular expression matches. It owns copies, so it outlives the text.
struct Match {
  std::vector<std::string> groups;  // the whole match, then its groups; empty if one has no part
  std::string before;               // the text before the match
  std::string after;                // the text after it

  const std::string& operator[](std::size_t group) const { return groups[group]; }
};

/// A regular expression as ECMAScript has them, by std::regex. Only the .cpp of this file includes
/// <regex>: each file that uses its templates takes 10 s longer to compile. Expressions and texts
/// are bytes: '.' matches one byte of UTF-8. Several threads may use one object at the same time.
class RegularExpression {
 public:
  /// Throws std::regex_error if the text is not a regular expression: see expression_fault().
  explicit RegularExpression(const std::string& text);
  ~RegularExpression();
  RegularExpression(const RegularExpression&) = delete;
  RegularExpression& operator=(const RegularExpression&) = delete;

  /// Matches all of a text. Returns std::nullopt if only a part of it matches.
  std::optional<Match> match(const std::string& text) const;

  /// Returns the first match in a text, or std::nullopt if no part matches.
  std::optional<Match> find(const std::string& text) const;

  /// Returns all matches in a text that do not overlap, from its beginning on. `before` of a match
  /// is the text since the match before it; `after` is the whole rest.
  std::vector<Match> find_all(const std::string& text) const;

  /// Replaces all matches in a text. In `with`, $1 stands for the first group, $& for the match and
  /// $$ for '$', as in ECMAScript.
  std::string replace(const std::string& text, const std::string& with) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

/// Returns why a text is not a regular expression, as a clause ("a '[' is not closed"); an empty
/// text if it is one. Does not throw for any text.
std::string expression_fault(const std::string& text);

}  // namespace knead::schema
