#include "schema/document/source.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace knead::schema {
namespace {

/// Code points are counted per part of this many bytes, which bounds the time of a column.
constexpr std::size_t kPart = 1024;

}  // namespace

Source::Source(std::string name, std::filesystem::path path, std::string text, int first_line)
    : name_(std::move(name)),
      path_(std::move(path)),
      text_(std::move(text)),
      first_line_(first_line),
      starts_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') starts_.push_back(i + 1);
  }
  points_.push_back(0);
  for (std::size_t i = kPart; i <= text_.size(); i += kPart) {
    points_.push_back(points_.back() +
                      code_points(std::string_view(text_).substr(i - kPart, kPart)));
  }
}

int Source::line_of(std::size_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return first_line_ + static_cast<int>(after - starts_.begin()) - 1;
}

std::size_t Source::line_start(int line) const {
  const auto index = static_cast<std::size_t>(std::max(0, line - first_line_));
  return index < starts_.size() ? starts_[index] : text_.size();
}

std::string_view Source::line(int line) const {
  std::string_view rest = std::string_view(text_).substr(line_start(line));
  rest = rest.substr(0, rest.find('\n'));
  // Files from Windows end their lines with CR LF.
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

int Source::code_points_before(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const std::size_t part = offset / kPart;
  return points_[part] +
         code_points(std::string_view(text_).substr(part * kPart, offset - part * kPart));
}

int Place::line() const { return source->line_of(begin); }

int Place::column() const {
  const std::size_t start = source->line_start(line());
  return 1 + source->code_points_before(begin) - source->code_points_before(start);
}

int Place::length() const {
  // The excerpt of a problem shows one line, so a mark does not go beyond it.
  const std::string_view line_text = source->line(line());
  const std::size_t line_end = source->line_start(line()) + line_text.size();
  if (begin >= line_end || end <= begin) return 1;
  return source->code_points_before(std::min(end, line_end)) - source->code_points_before(begin);
}

bool operator==(const Place& a, const Place& b) {
  return a.source == b.source && a.begin == b.begin;
}

bool operator<(const Place& a, const Place& b) {
  if (a.source == b.source) return a.begin < b.begin;
  // Names are compared, not addresses, so that the order is the same in every run.
  const auto key = [](const Place& place) {
    const Source* source = place.source.get();
    const bool is_argument = source && !source->is_file();
    return std::tuple(is_argument, source ? std::string_view(source->name()) : "",
                      source ? place.line() : 0, place.begin);
  };
  return key(a) < key(b);
}

std::string to_string(const Place& place) {
  if (!place) return "default";
  return fmt::format("{}:{}:{}", place.source->name(), place.line(), place.column());
}

int code_points(std::string_view utf8) {
  return static_cast<int>(std::count_if(utf8.begin(), utf8.end(), begins_code_point));
}

std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  // The table of RFC 3629, section 4: bounds of the second byte exclude overlong forms (E0, F0),
  // surrogates (ED) and code points above U+10FFFF (F4).
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace knead::schema
