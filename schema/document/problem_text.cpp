#include "schema/document/problem_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/document/shown_text.h"

namespace knead::schema {
namespace {

constexpr int kMostColumns = 120;  // of an excerpt; longer lines are cut around the mark
constexpr int kBeforeMark = 60;
constexpr std::size_t kMostOfPlace = 300;  // bytes
constexpr std::size_t kMostOfText = 1200;  // bytes: what tidy() has shortened stays as it is

/// ANSI escape codes, or empty texts without colour.
struct Paint {
  std::string_view bold, red, yellow, green, off;
};
constexpr Paint kPlain{"", "", "", "", ""};
constexpr Paint kColour{"\033[1m", "\033[1;31m", "\033[1;33m", "\033[1;32m", "\033[0m"};

/// A character and its width in terminal columns: 0, 1 or 2.
struct Glyph {
  std::string text;
  int width;
};

/// Returns whether a terminal shows a character two columns wide: East Asian letters and emoji.
bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
         (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

/// Returns whether a character is drawn over the one before it.
bool is_combining(char32_t c) {
  return (c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || c == 0xFE0F;
}

/// Removes the next character from a line. A control character or an invalid byte becomes '?', so
/// that an excerpt never carries an escape sequence to the terminal.
Glyph next_glyph(std::string_view& line) {
  const auto first = static_cast<unsigned char>(line[0]);
  std::size_t length = first < 0x80   ? 1
                       : first < 0xC0 ? 0
                       : first < 0xE0 ? 2
                       : first < 0xF0 ? 3
                                      : 4;
  bool broken = length == 0 || length > line.size();
  char32_t c = first < 0x80 ? first : first & (0xFF >> (length + 1));
  for (std::size_t i = 1; !broken && i < length; ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    broken = (byte & 0xC0) != 0x80;
    c = (c << 6) | (byte & 0x3F);
  }
  if (broken) length = 1;
  const std::string text(line.substr(0, length));
  line.remove_prefix(length);
  if (c == '\t' && !broken) return {" ", 1};
  if (broken || c < 0x20 || (c >= 0x7F && c < 0xA0)) return {"?", 1};
  return {text, is_combining(c) ? 0 : is_wide(c) ? 2 : 1};
}

/// Returns the byte, counted from the beginning of the line, that is `code_points` code points
/// before a place.
std::size_t bytes_before(const Place& place, int code_points) {
  const std::string& text = place.source->text();
  std::size_t at = place.begin;
  while (code_points > 0 && at > 0) code_points -= begins_code_point(text[--at]) ? 1 : 0;
  return at - place.source->line_start(place.line());
}

/// Returns the source line of a problem and a line with a mark under its place.
std::string excerpt(const Problem& problem, const Paint& paint) {
  const int number = problem.place.line();
  if (problem.secret) return fmt::format("{:5} | (this line holds a secret)\n", number);
  if (problem.place.source->text().empty()) return "";  // a file that could not be read
  std::string_view rest = problem.place.source->line(number);
  const int column = problem.place.column();
  const int end = column + problem.place.length();
  const int begin = column > kMostColumns - 20 ? column - kBeforeMark : 1;
  std::string text = begin > 1 ? "…" : "";
  std::string mark = begin > 1 ? " " : "";
  int columns = 0;
  int at = begin;
  // The cut is found from the mark backwards: a line may have a megabyte, and be shown a thousand
  // times.
  if (begin > 1) rest.remove_prefix(bytes_before(problem.place, kBeforeMark));
  // Marks that are drawn over a letter take no column, and there may be any number of them.
  for (; !rest.empty() && columns < kMostColumns && text.size() < kMostOfText; ++at) {
    const Glyph glyph = next_glyph(rest);
    text += glyph.text;
    columns += glyph.width;
    if (at >= end) continue;
    std::string under(static_cast<std::size_t>(glyph.width), at < column ? ' ' : '~');
    if (at == column && !under.empty()) under[0] = '^';
    mark += under;
  }
  if (!rest.empty()) text += "…";
  if (at <= column) mark += '^';  // at the end of the line, or of the text
  return fmt::format("{:5} | {}\n      | {}{}{}\n", number, text, paint.green, mark, paint.off);
}

/// Returns a text of unknown origin as a part of a line. tidy() has done so with most messages, but
/// not with the names of files, nor with those of models that Python code raises.
std::string shown(const std::string& text, std::size_t most) {
  return shortened(shown_text(text), most);
}

}  // namespace

std::string to_text(const Problems& problems, bool colour) {
  const Paint& paint = colour ? kColour : kPlain;
  std::string out;
  for (const Problem& problem : problems) {
    const bool is_error = problem.severity == Severity::error;
    out += fmt::format("{}{}:{} {}{}:{} {} [{}]\n", paint.bold,
                       shown(to_string(problem.place), kMostOfPlace), paint.off,
                       is_error ? paint.red : paint.yellow, is_error ? "error" : "warning",
                       paint.off, shown(problem.message, kMostOfText), problem.code);
    out += excerpt(problem, paint);
    if (!problem.hint.empty()) out += fmt::format("      = {}\n", shown(problem.hint, kMostOfText));
  }
  return out;
}

}  // namespace knead::schema
