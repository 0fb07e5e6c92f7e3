#include "runner/board/terminal/line.h"

#include <algorithm>
#include <array>
#include <clocale>
#include <cwchar>

#include "schema/document/source.h"

namespace knead::board {
namespace {

constexpr std::array<std::string_view, 10> kStyles{"",   "1",  "2",  "7",  "31",
                                                   "32", "33", "34", "35", "36"};

/// Makes wcwidth() answer for Unicode on this thread, whatever the locale of the user is.
class UnicodeLocale {
 public:
  UnicodeLocale() : unicode_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (unicode_) before_ = ::uselocale(unicode_);
  }
  ~UnicodeLocale() {
    if (!unicode_) return;
    ::uselocale(before_);
    ::freelocale(unicode_);
  }
  UnicodeLocale(const UnicodeLocale&) = delete;
  UnicodeLocale& operator=(const UnicodeLocale&) = delete;

 private:
  locale_t unicode_;
  locale_t before_ = nullptr;
};

char32_t code_point(std::string_view bytes) {
  if (bytes.size() == 1) return static_cast<unsigned char>(bytes[0]);
  char32_t c = static_cast<unsigned char>(bytes[0]) & (0x7F >> bytes.size());
  for (const char byte : bytes.substr(1)) c = c << 6 | (static_cast<unsigned char>(byte) & 0x3F);
  return c;
}

/// Calls `use` with each character of a text and its columns, until it returns false.
template <class Use>
void each_character(std::string_view text, const Use& use) {
  std::size_t length = 0;
  for (std::size_t at = 0; at < text.size(); at += length) {
    length = std::max<std::size_t>(schema::sequence_length(text, at), 1);
    const std::string_view bytes = text.substr(at, length);
    int columns = 1;
    if (length > 1 && static_cast<unsigned char>(bytes[0]) != 0xE2) {  // not of a drawing
      static const UnicodeLocale kUnicode;
      columns = std::max(::wcwidth(static_cast<wchar_t>(code_point(bytes))), 0);
    }
    if (!use(bytes, static_cast<std::size_t>(columns))) return;
  }
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t sum = 0;
  each_character(text, [&](std::string_view, std::size_t columns) {
    sum += columns;
    return true;
  });
  return sum;
}

std::string cut(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  std::string kept;
  std::size_t used = 1;  // of the mark
  if (columns == 0) return kept;
  each_character(text, [&](std::string_view bytes, std::size_t wide) {
    if (used + wide > columns) return false;
    used += wide;
    kept += bytes;
    return true;
  });
  return kept + "…";
}

Line& Line::add(std::string_view text, Style style) {
  if (text.empty() || columns_ >= width_) return *this;
  const std::string shown = cut(text, width_ - columns_);
  columns_ += columns_of(shown);
  const std::string_view code = kStyles[static_cast<std::size_t>(style)];
  if (code.empty() || !has_colour_) {
    text_ += shown;
  } else {
    text_ += "\033[";
    text_ += code;
    text_ += "m" + shown + "\033[0m";
  }
  return *this;
}

Line& Line::cell(std::string_view text, std::size_t columns, bool right, Style style) {
  const std::string shown = cut(text, columns);
  const std::string blanks(columns - columns_of(shown), ' ');
  if (right) add(blanks);
  add(shown, style);
  if (!right) add(blanks);
  return *this;
}

Line& Line::add_line(const Line& other) {
  text_ += other.text_;
  columns_ += other.columns_;
  return *this;
}

Line& Line::to(std::size_t column) {
  if (column > columns_) add(std::string(column - columns_, ' '));
  return *this;
}

}  // namespace knead::board
