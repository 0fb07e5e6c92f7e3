#include "tests/bad_recipes/header.h"

#include <charconv>

#include <fmt/format.h>

namespace knead::tests {
namespace {

std::string without_control_characters(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02X}", byte) : std::string(1, c);
  }
  return out;
}

std::string with_control_characters(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned byte = 0;
    const char* end = text.data() + std::min(at + 4, text.size());
    const bool escaped = text.substr(at, 2) == "\\x" &&
                         std::from_chars(text.data() + at + 2, end, byte, 16).ptr == end;
    out += escaped ? static_cast<char>(byte) : text[at];
    if (escaped) at += 3;
  }
  return out;
}

std::string replaced(std::string text, const std::string& from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string place_in_words(const schema::Place& place, const std::string& recipe) {
  const std::string position = fmt::format("{}:{}", place.line(), place.column());
  if (!place.source->is_file()) return fmt::format("{} {}", place.source->name(), position);
  return place.source->name() == recipe ? position
                                        : fmt::format("{}:{}", place.source->name(), position);
}

void read_line(std::string_view line, Header& header) {
  constexpr std::string_view kOverride = "# override: ";
  constexpr std::string_view kVariable = "# env: ";
  if (line.starts_with(kOverride)) {
    header.overrides.push_back(with_control_characters(line.substr(kOverride.size())));
  } else if (line.starts_with(kVariable)) {
    const std::string variable = with_control_characters(line.substr(kVariable.size()));
    const std::size_t equals = variable.find('=');
    header.variables[variable.substr(0, equals)] = variable.substr(equals + 1);
  } else {
    header.problems.append(line).append("\n");
    return;
  }
  header.arguments.append(line).append("\n");
}

}  // namespace

Header read_header(std::string_view recipe) {
  Header header;
  while (recipe.substr(header.length).starts_with('#')) {
    const std::size_t end = std::min(recipe.find('\n', header.length), recipe.size() - 1);
    read_line(recipe.substr(header.length, end - header.length), header);
    header.length = end + 1;
  }
  return header;
}

std::string in_header_words(const schema::Problems& problems, const std::string& recipe,
                            const std::string& root) {
  if (problems.empty()) return "# no problem\n";
  const auto words = [&](const std::string& text) {
    return without_control_characters(replaced(text, root, "<root>"));
  };
  std::string out;
  for (const schema::Problem& problem : problems) {
    const bool is_error = problem.severity == schema::Severity::error;
    out += fmt::format("# {} {} {}: {}\n", place_in_words(problem.place, recipe),
                       is_error ? "error" : "warning", problem.code, words(problem.message));
    if (!problem.hint.empty()) out += fmt::format("#   = {}\n", words(problem.hint));
  }
  return out;
}

}  // namespace knead::tests
