#include "runner/syntax/tokens.h"

// The indentation of lines, which opens and closes blocks.

namespace knead::syntax {

void Tokens::begin_line() {
  at_line_start_ = false;
  for (;;) {
    const Level level = measure_indentation();
    const char c = at(position_);
    if (position_ >= end_) return;  // text_end() closes the blocks at the end of the text
    if (c == '#') {
      while (position_ < end_ && at(position_) != '\n') ++position_;
    }
    if (c != '#' && c != '\n' && c != '\r') {
      change_level(level);
      return;
    }
    if (at(position_) == '\r') ++position_;
    if (at(position_) == '\n') ++position_;
  }
}

/// If a '\' joins lines within the indentation, the first line counts.
Tokens::Level Tokens::measure_indentation() {
  Level level{0, 0};
  std::optional<Level> before_joint;
  for (;; ++position_) {
    const char c = at(position_);
    if (c == ' ') {
      ++level.column;
      ++level.column_of_one;
    } else if (c == '\t') {
      // CPython counts a tab both to the next multiple of 8 and as one column, and refuses a file
      // in which the two counts disagree about a block.
      level.column = (level.column / 8 + 1) * 8;
      ++level.column_of_one;
    } else if (c == '\f') {
      // A form feed sets the column back, as in CPython: old editors put one at the beginning of a
      // page.
      level = {0, 0};
    } else if (c == '\\') {
      if (!before_joint && level.column > 0) before_joint = {level.column, level.column};
      join_line();
      --position_;
    } else {
      if (before_joint) return *before_joint;
      return level;
    }
  }
}

void Tokens::change_level(Level level) {
  const auto first_characters = [&] {
    const std::uint32_t end = position_;
    return Range{static_cast<std::uint32_t>(source_->line_start(source_->line_of(end))), end};
  };
  const auto refuse_mixture = [&] {
    refuse(first_characters(), "inconsistent use of tabs and spaces in indentation",
           "indent every line of the file with spaces");
  };
  if (level.column > levels_.back().column) {
    if (level.column_of_one <= levels_.back().column_of_one) refuse_mixture();
    levels_.push_back(level);
    indent_due_ = true;
    return;
  }
  for (; level.column < levels_.back().column; levels_.pop_back()) ++dedents_due_;
  if (level.column != levels_.back().column) {
    refuse(first_characters(), "unindent does not match any outer indentation level",
           "indent the line like one of the lines above it");
  }
  if (level.column_of_one != levels_.back().column_of_one) refuse_mixture();
}

}  // namespace knead::syntax
