#include "runner/data/bpe/pattern.h"

#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runner/data/bpe/character_class.h"
#include "runner/data/bpe/pattern_cursor.h"

namespace knead::data {
namespace {

constexpr std::size_t kLongest = 1 << 15;  // bytes

/// Lists pairs of letters that Oniguruma also matches as one character if case is ignored, as ß for
/// ss.
constexpr std::string_view kJoined[] = {"ss", "ff", "fi", "fl", "st"};

/// Holds the options that are in force until the end of the current group.
struct Options {
  bool is_caseless = false;
  bool dot_is_any = false;
};

/// Describes a group that is not closed yet.
struct Group {
  std::size_t begin;   // offset in the output
  int closings;        // parentheses to close: that of the group and those of (?i) within
  bool is_repeatable;  // false for lookarounds
  Options options_outside;
};

/// Translates a pattern in one pass from left to right.
class Translation {
 public:
  explicit Translation(std::string_view pattern) : cursor_(pattern) {}

  std::string run() {
    groups_.push_back({0, 0, false, {}});
    while (!cursor_.is_at_end()) read_next();
    if (groups_.size() > 1) cursor_.refuse("a group that is not closed");
    out_.append(static_cast<std::size_t>(groups_[0].closings), ')');
    return std::move(out_);
  }

 private:
  void read_next() {
    cursor_.begin_item();
    if (read_quantifier()) return;
    const bool is_behind_letter = std::exchange(is_behind_letter_, false);
    is_repeated_ = false;
    if (cursor_.take("(")) {
      open_group();
    } else if (cursor_.peek() == ')') {
      close_group();
    } else if (cursor_.take("|")) {
      write_between("|");
    } else if (cursor_.take("[")) {
      write_one(take_brackets(cursor_, options_.is_caseless));
    } else if (cursor_.take(".")) {
      write_one(options_.dot_is_any ? "(?s:.)" : "[^\\n]");
    } else if (cursor_.take("^")) {
      write_between("(?:\\A|(?<=\\n)(?!\\z))");
    } else if (cursor_.take("$")) {
      write_between("(?=\\n|\\z)");
    } else if (cursor_.peek() != '\\' || !read_class()) {
      read_letter(is_behind_letter);
    }
  }

  /// Writes a pattern that a quantifier may follow.
  void write_one(std::string_view pattern) {
    repeatable_ = out_.size();
    out_ += pattern;
  }

  /// Writes a pattern that matches a position, or a separator; no quantifier may follow.
  void write_between(std::string_view pattern) {
    repeatable_.reset();
    out_ += pattern;
  }

  bool read_quantifier() {
    const std::optional<std::string> quantifier = take_quantifier(cursor_);
    if (!quantifier) return false;
    if (!repeatable_) cursor_.refuse("a quantifier of nothing");
    // PCRE2 may read a second quantifier as lazy or possessive; in Ruby's syntax it repeats the
    // first.
    if (is_repeated_) {
      out_.insert(*repeatable_, "(?:");
      out_ += ')';
    }
    out_ += *quantifier;
    is_repeated_ = true;
    is_behind_letter_ = false;
    return true;
  }

  void open_group() {
    const std::size_t begin = out_.size();
    for (const std::string_view around : {"?=", "?!", "?<=", "?<!"}) {
      if (!cursor_.take(around)) continue;
      write_between(fmt::format("({}", around));
      groups_.push_back({begin, 1, false, options_});
      return;
    }
    if (cursor_.take("?>")) {
      write_between("(?>");
    } else if (cursor_.take("?:") || take_name() || cursor_.peek() != '?') {
      write_between("(?:");
    } else {
      open_options(begin);
      return;
    }
    groups_.push_back({begin, 1, true, options_});
  }

  /// Skips the name of a group, (?<name>, because no supported construct refers to it.
  bool take_name() {
    const std::string_view rest = cursor_.rest();
    const std::size_t end = rest.find('>');
    if (!rest.starts_with("?<") || end == rest.npos) return false;
    for (const char c : rest.substr(2, end - 2)) {
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
    }
    return cursor_.take(rest.substr(0, end + 1));
  }

  /// Reads (?i) and (?i: with their options. In Ruby's syntax m makes the dot match line feeds; -
  /// switches options off.
  void open_options(std::size_t begin) {
    const Options outside = options_;
    cursor_.take("?");
    bool is_on = true;
    while (cursor_.peek() != ':' && cursor_.peek() != ')') {
      if (cursor_.take("i")) {
        options_.is_caseless = is_on;
      } else if (cursor_.take("m")) {
        options_.dot_is_any = is_on;
      } else if (cursor_.take("-")) {
        is_on = false;
      } else {
        cursor_.refuse("a group of another kind");
      }
    }
    write_between(options_.is_caseless ? "(?i:" : "(?-i:");
    if (cursor_.take(":")) {
      groups_.push_back({begin, 1, true, outside});
    } else {
      cursor_.take(")");
      ++groups_.back().closings;
    }
  }

  void close_group() {
    if (groups_.size() == 1) cursor_.refuse("a ) without its (");
    cursor_.take(")");
    const Group group = groups_.back();
    groups_.pop_back();
    out_.append(static_cast<std::size_t>(group.closings), ')');
    options_ = group.options_outside;
    repeatable_.reset();
    if (group.is_repeatable) repeatable_ = group.begin;
  }

  /// Reads an escape that does not stand for a single character. Returns false if there is none.
  bool read_class() {
    struct Class {
      std::string_view letter;
      std::string_view name;
    };
    static constexpr Class kLetters[] = {
        {"\\d", "Nd"}, {"\\w", "lone word"}, {"\\s", "white space"}};
    for (const Class& each : kLetters) {
      const std::string negated{'\\', static_cast<char>(each.letter[1] & ~0x20)};
      if (cursor_.take(each.letter)) return write_class(std::string(each.name), false);
      if (cursor_.take(negated)) return write_class(std::string(each.name), true);
    }
    for (const std::string_view property : {"\\p", "\\P"}) {
      if (!cursor_.take(property)) continue;
      bool is_negated = property == "\\P";
      const std::string name = cursor_.take_property(is_negated);
      return write_class(name, is_negated);
    }
    return read_place() || read_digit_class();
  }

  bool write_class(const std::string& name, bool is_negated) {
    write_one(one_of(cursor_, name, is_negated));
    return true;
  }

  bool read_digit_class() {
    if (cursor_.take("\\h")) {
      write_one("[0-9a-fA-F]");
    } else if (cursor_.take("\\H")) {
      write_one("[^0-9a-fA-F]");
    } else {
      return false;
    }
    return true;
  }

  bool read_place() {
    const std::string word = character_class("lone word");
    if (cursor_.take("\\b")) {
      write_between(fmt::format("(?:(?<={0})(?!{0})|(?<!{0})(?={0}))", word));
    } else if (cursor_.take("\\B")) {
      write_between(fmt::format("(?:(?<={0})(?={0})|(?<!{0})(?!{0}))", word));
    } else if (cursor_.take("\\A")) {
      write_between("\\A");
    } else if (cursor_.take("\\z")) {
      write_between("\\z");
    } else if (cursor_.take("\\Z")) {
      write_between("(?=\\n?\\z)");
    } else {
      return false;
    }
    return true;
  }

  void read_letter(bool is_behind_letter) {
    const char32_t letter = cursor_.take("\\") ? cursor_.take_escaped() : cursor_.take_character();
    if (options_.is_caseless) check_case(letter, is_behind_letter);
    write_one(spelled(letter));
    is_behind_letter_ = true;
  }

  /// Refuses letters for which Oniguruma and PCRE2 may ignore case differently.
  void check_case(char32_t letter, bool is_behind_letter) {
    if (letter >= 0x80) cursor_.refuse("a letter that is not ASCII and whose case is not told");
    const char small = static_cast<char>(std::tolower(static_cast<int>(letter)));
    const std::string pair{last_letter_, small};
    last_letter_ = small;
    if (!is_behind_letter) return;
    for (const std::string_view joined : kJoined) {
      if (pair == joined) cursor_.refuse(fmt::format("'{}' whose case is not told", joined));
    }
  }

  PatternCursor cursor_;
  std::string out_;
  std::vector<Group> groups_;
  Options options_;
  std::optional<std::size_t> repeatable_;  // offset in out_ of what a quantifier repeats
  bool is_repeated_ = false;
  bool is_behind_letter_ = false;
  char last_letter_ = '\0';
};

}  // namespace

std::string translated(std::string_view pattern) {
  if (pattern.size() > kLongest)
    PatternCursor(pattern).refuse(fmt::format("{} bytes", pattern.size()));
  return Translation(pattern).run();
}

std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) out += spelled(next_character(text, at));
  return out;
}

}  // namespace knead::data
