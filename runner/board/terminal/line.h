#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace knead::board {

/// How a text of a line looks.
enum class Style { plain, bold, dim, chosen, red, green, yellow, blue, magenta, cyan };

/// Returns how many columns a terminal takes for a UTF-8 text without control characters: two for
/// each wide character, none for a combining one.
std::size_t columns_of(std::string_view text);

/// Returns the beginning of a text that fits into so many columns, with "…" at its end if it is
/// cut.
std::string cut(std::string_view text, std::size_t columns);

/// A line of the screen of a given width, built from left to right. What exceeds the width is left
/// out.
class Line {
 public:
  /// `has_colour`: styles become escape sequences; otherwise they have no effect.
  Line(std::size_t width, bool has_colour) : width_(width), has_colour_(has_colour) {}

  /// Adds a text, cut to the columns that are left.
  Line& add(std::string_view text, Style style = Style::plain);
  /// Adds a text in a column of this width, with blanks behind or, if `right`, before it.
  Line& cell(std::string_view text, std::size_t columns, bool right = false,
             Style style = Style::plain);
  /// Adds another line with its styles, which must fit.
  Line& add_line(const Line& other);
  /// Adds blanks up to a column, counted from 0.
  Line& to(std::size_t column);

  std::size_t columns() const { return columns_; }
  std::size_t width() const { return width_; }
  /// Returns the line with its escape sequences, without a newline.
  const std::string& text() const { return text_; }

 private:
  std::size_t width_;
  bool has_colour_;
  std::size_t columns_ = 0;
  std::string text_;
};

}  // namespace knead::board
