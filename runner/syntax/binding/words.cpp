#include "runner/syntax/binding/words.h"

#include <fmt/format.h>

#include "schema/document/count_words.h"

namespace knead::syntax {
namespace {

using schema::count_words;

/// Lists names as Python does: "'a', 'b', and 'c'".
std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += names.size() == 2 ? " and " : i + 1 == names.size() ? ", and " : ", ";
    text += fmt::format("'{}'", names[i]);
  }
  return text;
}

std::string words(const UnexpectedKeyword& fault) {
  return fmt::format("got an unexpected keyword argument '{}'", fault.name);
}

std::string words(const PositionalOnlyByName& fault) {
  return fmt::format("got some positional-only arguments passed as keyword arguments: '{}'",
                     fmt::join(fault.names, ", "));
}

// CPython has two messages: it finds a repeated keyword while it collects the arguments, and a
// parameter that has a value already while it assigns them.
std::string words(const GivenTwice& fault) {
  return fmt::format("got multiple values for {}argument '{}'", fault.by_name ? "keyword " : "",
                     fault.name);
}

std::string words(const TooManyPositional& fault) {
  const std::string wanted =
      fault.least == fault.most
          ? count_words(fault.most, "positional argument")
          : fmt::format("from {} to {} positional arguments", fault.least, fault.most);
  // CPython mentions keyword-only arguments so that the count of given arguments does not look
  // wrong.
  if (fault.keyword_only > 0) {
    return fmt::format("takes {} but {} (and {}) were given", wanted,
                       count_words(fault.given, "positional argument"),
                       count_words(fault.keyword_only, "keyword-only argument"));
  }
  return fmt::format("takes {} but {} {} given", wanted, fault.given,
                     fault.given == 1 ? "was" : "were");
}

std::string words(const Missing& fault) {
  const auto* noun =
      fault.keyword_only ? "required keyword-only argument" : "required positional argument";
  return fmt::format("missing {}: {}", count_words(fault.names.size(), noun), listed(fault.names));
}

}  // namespace

std::string python_words(const Fault& fault) {
  return std::visit([](const auto& one) { return words(one); }, fault);
}

}  // namespace knead::syntax
