#include "schema/document/yaml_errors.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/document/token.h"

namespace knead::schema {
namespace {

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

bool is_blank(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == line.npos || line[first] == '#';
}

/// Returns the number of the nearest line above that is not blank or a comment, or 0. The first
/// line of an argument has its position on the command line as its number.
int previous_line_with_text(const Source& source, int line) {
  const int first = source.line_of(0);
  while (--line >= first && is_blank(source.line(line))) {
  }
  return line >= first ? line : 0;
}

/// Explains "illegal map value", which yaml-cpp reports for every unexpected ':'.
Problem surprising_colon(const std::shared_ptr<const Source>& source, const YamlFailure& failure) {
  const Place place{source, failure.at, failure.at + 1};
  const int line = place.line();
  const std::string_view text = source->line(line);
  const std::string_view before = text.substr(0, failure.at - source->line_start(line));
  Problem problem{"yaml-syntax", place, "a ':' is not possible here",
                  "quote the text if the ':' belongs to it"};
  if (before.find(": ") != before.npos) {
    problem.message = "a second ':' in one line";
    return problem;
  }
  const int previous = previous_line_with_text(*source, line);
  if (previous <= 0) return problem;
  const std::string_view above = source->line(previous);
  if (above.find(": ") == above.npos && !above.ends_with(":")) {
    const std::size_t begin = source->line_start(previous) + indentation(above);
    problem.place = {source, begin, source->line_start(previous) + above.size()};
    problem.message = "expected 'key: value', with a space after the ':'";
    problem.hint = "";
  } else if (indentation(text) > indentation(above)) {
    const std::size_t begin = source->line_start(line) + indentation(text);
    problem.place = {source, begin, failure.at};
    problem.message = fmt::format(
        "this line is indented deeper than line {}, which already has its value", previous);
    problem.hint = "give the keys of one block the same indentation";
  }
  return problem;
}

/// Explains a flow list or map whose next item or closing bracket is missing.
Problem unclosed(const std::shared_ptr<const Source>& source, const YamlFailure& failure) {
  const std::string_view text = source->text();
  if (failure.at > 0 && text.substr(failure.at - 1, 2) == "${") {
    return {"yaml-syntax", Place{source, failure.at - 1, failure.at + 1},
            "inside { } and [ ] a ${env:…} needs quotes",
            "write \"${env:NAME}\"; a number in it stays a number"};
  }
  const Place open =
      failure.open_bracket ? failure.open_bracket : Place{source, failure.at, failure.at + 1};
  if (!bracket_closes(text, open.begin)) return unclosed_bracket(open);
  if (failure.at < text.size() && text[failure.at] == ':') {
    // In `{type: adamw lr: 1e-3}` the word before this ':' is the next key.
    std::size_t begin = failure.at;
    while (begin > open.begin + 1 && text[begin - 1] != ' ' && text[begin - 1] != '\n') --begin;
    const Place key{source, begin, failure.at};
    return {"yaml-syntax", key,
            fmt::format("a ',' is missing before '{}'", text.substr(begin, failure.at - begin)),
            ""};
  }
  // In `[data/{000..127}.tar]` the bracket is part of a text.
  const bool is_in_text =
      failure.at < text.size() && (text[failure.at] == '{' || text[failure.at] == '[');
  return {"yaml-syntax", Place{source, failure.at, failure.at + 1},
          "a ',' or a closing bracket is missing before this",
          fmt::format("the '{}' opens in line {}{}", text[open.begin], open.line(),
                      is_in_text ? "; a text with brackets in it stands in quotes there" : "")};
}

/// Explains a closing bracket that does not match.
Problem wrong_bracket(const std::shared_ptr<const Source>& source, const YamlFailure& failure) {
  const Place here{source, failure.at, failure.at + 1};
  if (!failure.open_bracket)
    return {"yaml-syntax", here, "a closing bracket without the one that opens it", ""};
  const char open = source->text()[failure.open_bracket.begin];
  return {
      "yaml-syntax", failure.open_bracket,
      fmt::format("the '{}' that opens here is closed with '{}'", open, source->text()[failure.at]),
      fmt::format("write '{}' in line {}", open == '[' ? ']' : '}', here.line())};
}

}  // namespace

std::size_t indentation_tab(const Source& source, std::size_t at) {
  const std::size_t start = source.line_start(source.line_of(at));
  const std::string_view before = std::string_view(source.text()).substr(start);
  const std::size_t first = std::min(before.find_first_not_of(" \t"), before.size());
  const std::size_t tab = before.substr(0, first).find('\t');
  return tab == before.npos ? tab : start + tab;
}

Problem unclosed_bracket(const Place& bracket) {
  const char open = bracket.source->text()[bracket.begin];
  return {"yaml-syntax", bracket, fmt::format("the '{}' that opens here is not closed", open),
          fmt::format("write '{}' where it ends", open == '[' ? ']' : '}')};
}

Problem tab_problem(const std::shared_ptr<const Source>& source, std::size_t tab) {
  return {"tab-indentation", Place{source, tab, tab + 1}, "this line is indented with a tab",
          "YAML indents with spaces only"};
}

Problem explain_yaml_failure(const std::shared_ptr<const Source>& source,
                             const YamlFailure& failure) {
  const std::size_t tab = indentation_tab(*source, failure.at);
  if (tab != std::string::npos && !failure.open_bracket) return tab_problem(source, tab);
  // yaml-cpp has no codes of errors, so its messages are recognised by their words.
  const std::string& message = failure.message;
  const Place place{source, failure.at, failure.at + 1};
  const auto says = [&](std::string_view words) { return message.find(words) != message.npos; };

  if (says("illegal map value")) return surprising_colon(source, failure);
  if (says("flow not found")) return unclosed(source, failure);
  if (says("referenced anchor is not defined")) {
    return {"yaml-syntax", place, "this alias names an anchor that is not defined above it",
            "define it with '&name', or quote the text"};
  }
  if (says("unknown escape character")) {
    return {"yaml-syntax", place, "unknown escape after '\\' in a double-quoted text",
            "write \\\\ for a backslash, or use single quotes"};
  }
  if (says("unknown token")) {
    const char c = failure.at < source->text().size() ? source->text()[failure.at] : ' ';
    return {"yaml-syntax", place, fmt::format("a value cannot begin with '{}'", c),
            "put the text in quotes"};
  }
  if (says("end of map not found") || says("end of sequence not found")) {
    const std::string_view line = source->line(place.line());
    const std::size_t column = failure.at - source->line_start(place.line());
    if (column > indentation(line)) {
      return {"yaml-syntax", place, "this stands behind a value and does not belong to it",
              "put the whole text in quotes, or begin a new line"};
    }
    return {"yaml-syntax", place,
            "this line does not go with the indentation of the block above it",
            "give the keys of one block the same indentation"};
  }
  if (says("illegal flow end")) {
    return wrong_bracket(source, failure);
  }
  if (says("illegal block entry")) {
    return {"yaml-syntax", place, "a '- ' item is not possible here",
            "begin the list in a line of its own"};
  }
  if (says("alias not found") || says("anchor not found") ||
      says("character found while scanning")) {
    return {"yaml-syntax", place, "'*' begins an alias and '&' an anchor, and a name must follow",
            "put the text in quotes"};
  }
  if (says("EOF in scalar"))
    return {"yaml-syntax", place, "the text ends inside quotes", "close the quote"};
  if (says("document indicator in scalar")) {
    return {"yaml-syntax", place, "a quoted text is still open at this '---' or '...'",
            "close the quote"};
  }
  return {"yaml-syntax", place, fmt::format("YAML cannot be read here: {}", message), ""};
}

}  // namespace knead::schema
