#include "schema/document/regular_expression.h"

#include <regex>

#include <fmt/format.h>

namespace knead::schema {
namespace {

Match match_of(const std::smatch& found) {
  Match match{.groups = {}, .before = found.prefix().str(), .after = found.suffix().str()};
  for (const auto& group : found) match.groups.push_back(group.str());
  return match;
}

}  // namespace

struct RegularExpression::Compiled {
  std::regex regex;
};

RegularExpression::RegularExpression(const std::string& text)
    : compiled_(std::make_unique<Compiled>(Compiled{std::regex(text)})) {}

RegularExpression::~RegularExpression() = default;

std::optional<Match> RegularExpression::match(const std::string& text) const {
  std::smatch found;
  if (!std::regex_match(text, found, compiled_->regex)) return std::nullopt;
  return match_of(found);
}

std::optional<Match> RegularExpression::find(const std::string& text) const {
  std::smatch found;
  if (!std::regex_search(text, found, compiled_->regex)) return std::nullopt;
  return match_of(found);
}

std::vector<Match> RegularExpression::find_all(const std::string& text) const {
  std::vector<Match> all;
  std::sregex_iterator at(text.begin(), text.end(), compiled_->regex);
  for (; at != std::sregex_iterator(); ++at) all.push_back(match_of(*at));
  return all;
}

std::string RegularExpression::replace(const std::string& text, const std::string& with) const {
  return std::regex_replace(text, compiled_->regex, with);
}

std::string expression_fault(const std::string& text) {
  // std::regex reports this as a missing parenthesis.
  if (text.find_first_of("*+?") == 0)
    return fmt::format("there is nothing before its '{}'; any text is '.*'", text[0]);
  try {
    // Only the constructor knows the grammar; its what() is a sentence for programmers, and differs
    // between standard libraries.
    const std::regex tried(text);
    return "";
  } catch (const std::regex_error& error) {
    switch (error.code()) {
      case std::regex_constants::error_brack: return "a '[' is not closed";
      case std::regex_constants::error_paren: return "a parenthesis is not closed, or not opened";
      case std::regex_constants::error_brace: return "a '{' is not closed";
      case std::regex_constants::error_badrepeat:
        return "there is nothing before a '*', '+' or '?'";
      case std::regex_constants::error_range: return "a range ends before it begins";
      case std::regex_constants::error_backref: return "it refers to a group that is not there";
      default: return "it is not written as ECMAScript has them";
    }
  }
}

}  // namespace knead::schema
