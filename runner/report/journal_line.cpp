#include "runner/report/journal_line.h"

#include <charconv>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "schema/document/json_text.h"

namespace knead::report {
namespace {

/// Makes a number of the texts that a journal holds for numbers that JSON has no word for.
bool read_not_finite(std::string_view text, double& number) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "NaN") return number = std::numeric_limits<double>::quiet_NaN(), true;
  if (text == "Infinity") return number = kInfinity, true;
  if (text == "-Infinity") return number = -kInfinity, true;
  return false;
}

/// Takes a text in quotes without escapes from the beginning of `line`.
bool take_text(std::string_view& line, std::string_view& text) {
  if (line.empty() || line.front() != '"') return false;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    // Anything beyond plain ASCII is left to the library, which checks it.
    if (byte == '\\' || byte < 0x20 || byte >= 0x80) return false;
    if (byte != '"') continue;
    text = line.substr(1, i - 1);
    line.remove_prefix(i + 1);
    return true;
  }
  return false;
}

bool take_number(std::string_view& line, double& number) {
  const bool begins =
      !line.empty() && (line.front() == '-' || (line.front() >= '0' && line.front() <= '9'));
  if (!begins) return false;
  const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (failure != std::errc()) return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return true;
}

void skip_spaces(std::string_view& line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
}

bool take(std::string_view& line, char wanted) {
  skip_spaces(line);
  if (line.empty() || line.front() != wanted) return false;
  line.remove_prefix(1);
  skip_spaces(line);
  return true;
}

}  // namespace

bool JournalLine::read(std::string_view line) {
  fields_.clear();
  texts_.clear();
  if (read_flat(line)) return true;
  fields_.clear();
  return read_any(line);
}

bool JournalLine::read_flat(std::string_view line) {
  if (!take(line, '{')) return false;
  while (true) {
    Field& field = fields_.emplace_back();
    if (!take_text(line, field.key) || !take(line, ':')) return false;
    if (take_text(line, field.text)) {
      field.is_number = read_not_finite(field.text, field.number);
    } else if (take_number(line, field.number)) {
      field.is_number = true;
    } else {
      return false;
    }
    if (take(line, ',')) continue;
    if (!take(line, '}')) return false;
    while (!line.empty() && line.front() == '\r') line.remove_prefix(1);
    return line.empty();
  }
}

bool JournalLine::read_any(std::string_view line) {
  const auto json = schema::parse_json_or_none(line);
  if (!json || !json->is_object()) return false;
  for (const auto& [key, value] : json->items()) {
    Field field{.key = texts_.emplace_back(key)};
    if (value.is_number()) {
      field.is_number = true;
      field.number = value.get<double>();
    } else if (value.is_string()) {
      field.text = texts_.emplace_back(value.get<std::string>());
      field.is_number = read_not_finite(field.text, field.number);
    } else {
      continue;
    }
    fields_.push_back(field);
  }
  return true;
}

double JournalLine::number(std::string_view key, double otherwise) const {
  for (const Field& field : fields_)
    if (field.is_number && field.key == key) return field.number;
  return otherwise;
}

std::string_view JournalLine::text(std::string_view key) const {
  for (const Field& field : fields_)
    if (!field.is_number && field.key == key) return field.text;
  return {};
}

}  // namespace knead::report
