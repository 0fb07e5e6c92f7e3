#include "runner/syntax/binding/words.h"

#include <fmt/format.h>

namespace knead::syntax {
namespace {

/// Lists names as Python does: "'a', 'b', and 'c'".
std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += names.size() == 2 ? " and " : i + 1 == names.size() ? ", and " : ", ";
    text += fmt::format("'{}'", names[i]);
  }
  return text;
}

std::string_view plural(std::size_t count) { return count == 1 ? "" : "s"; }

std::string words(const UnexpectedKeyword& fault) {
  return fmt::format("got an unexpected keyword argument '{}'", fault.name);
}

std::string words(const PositionalOnlyByName& fault) {
  return fmt::format("got some positional-only arguments passed as keyword arguments: '{}'",
                     fmt::join(fault.names, ", "));
}

std::string words(const GivenTwice& fault) {
  return fmt::format("got multiple values for {}argument '{}'", fault.by_name ? "keyword " : "",
                     fault.name);
}

std::string words(const TooManyPositional& fault) {
  const bool is_range = fault.least != fault.most;
  const std::string range =
      is_range ? fmt::format("from {} to {}", fault.least, fault.most) : std::to_string(fault.most);
  std::string given = std::to_string(fault.given);
  if (fault.keyword_only > 0) {
    given += fmt::format(" positional argument{} (and {} keyword-only argument{})",
                         plural(fault.given), fault.keyword_only, plural(fault.keyword_only));
  }
  const bool is_one = fault.given == 1 && fault.keyword_only == 0;
  return fmt::format("takes {} positional argument{} but {} {} given", range,
                     is_range ? "s" : plural(fault.most), given, is_one ? "was" : "were");
}

std::string words(const Missing& fault) {
  return fmt::format("missing {} required {} argument{}: {}", fault.names.size(),
                     fault.keyword_only ? "keyword-only" : "positional", plural(fault.names.size()),
                     listed(fault.names));
}

}  // namespace

std::string python_words(const Fault& fault) {
  return std::visit([](const auto& one) { return words(one); }, fault);
}

}  // namespace knead::syntax
