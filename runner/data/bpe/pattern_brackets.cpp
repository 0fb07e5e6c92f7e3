#include <vector>

#include <fmt/format.h>

#include "runner/data/bpe/character_class.h"
#include "runner/data/bpe/pattern_cursor.h"

namespace knead::data {
namespace {

constexpr int kDeepest = 16;
constexpr std::string_view kAny = "(?s:.)";

/// Collects the content of brackets: items for one pair of PCRE2 brackets, and parts that need
/// patterns of their own.
struct CharacterSet {
  std::string items;
  std::vector<std::string> patterns;

  void add(const CharacterSet& other) {
    items += other.items;
    patterns.insert(patterns.end(), other.patterns.begin(), other.patterns.end());
  }

  std::string one_of() const {
    if (patterns.empty()) return items.empty() ? "(?!)" : fmt::format("[{}]", items);
    if (items.empty() && patterns.size() == 1) return patterns[0];  // a group would be slower
    std::string all = items.empty() ? "" : fmt::format("[{}]|", items);
    for (const std::string& each : patterns) all += each + "|";
    all.pop_back();
    return fmt::format("(?:{})", all);
  }

  std::string none_of() const {
    if (!patterns.empty()) return fmt::format("(?:(?!{}){})", one_of(), kAny);
    return items.empty() ? std::string(kAny) : fmt::format("[^{}]", items);
  }
};

/// Reads brackets. Unlike PCRE2's, Oniguruma's may be nested and intersected by &&.
class Brackets {
 public:
  Brackets(PatternCursor& cursor, bool is_caseless) : cursor_(cursor), is_caseless_(is_caseless) {}

  CharacterSet read(int depth) {
    if (depth > kDeepest) cursor_.refuse(fmt::format("brackets {} deep", depth));
    const bool is_negated = cursor_.take("^");
    std::string cut;  // lookaheads for the parts before each &&
    CharacterSet set;
    if (cursor_.take("]")) set.items += spelled(']');
    while (!cursor_.take("]")) {
      if (cursor_.is_at_end()) cursor_.refuse("brackets that are not closed");
      if (cursor_.take("&&")) {
        cut += fmt::format("(?={})", set.one_of());
        set = {};
      } else {
        read_item(set, depth);
      }
    }
    if (!cut.empty()) set = {"", {fmt::format("(?:{}{})", cut, set.one_of())}};
    if (!is_negated) return set;
    return {"", {set.none_of()}};
  }

 private:
  void read_item(CharacterSet& set, int depth) {
    cursor_.begin_item();
    if (cursor_.take("[:")) {
      read_named(set);
    } else if (cursor_.take("[")) {
      set.add(read(depth + 1));
    } else if (!read_class(set)) {
      read_range(set);
    }
  }

  /// Reads a POSIX class such as [:alpha:], behind its [:.
  void read_named(CharacterSet& set) {
    struct Name {
      std::string_view written;
      std::string_view known;
    };
    static constexpr Name kNames[] = {{"alpha:]", "Alphabetic"},
                                      {"digit:]", "Nd"},
                                      {"space:]", "white space"},
                                      {"word:]", "word"}};
    for (const Name& name : kNames) {
      if (cursor_.take(name.written)) return add_class(set, std::string(name.known), false);
    }
    cursor_.refuse("[:NAME:]");
  }

  /// Reads a class such as \s. Returns false if there is none.
  bool read_class(CharacterSet& set) {
    const std::string_view rest = cursor_.rest();
    if (rest.size() < 2 || rest[0] != '\\') return false;
    const char letter = rest[1];
    const char small = static_cast<char>(letter | 0x20);
    if (std::string_view("dswhp").find(small) == std::string_view::npos) return false;
    cursor_.take(rest.substr(0, 2));
    bool is_negated = letter != small;
    if (small == 'p') {
      const std::string name = cursor_.take_property(is_negated);
      add_class(set, name, is_negated);
    } else if (small == 'h') {
      if (is_negated) cursor_.refuse("\\H between brackets");
      set.items += "0-9a-fA-F";
    } else {
      add_class(set, small == 'd' ? "Nd" : small == 's' ? "white space" : "word", is_negated);
    }
    if (cursor_.peek() == '-' && !cursor_.rest().starts_with("-]"))
      cursor_.refuse("a range that begins with a class");
    return true;
  }

  void add_class(CharacterSet& set, const std::string& name, bool is_negated) {
    if (is_caseless_) cursor_.refuse("a class between brackets whose case is not told");
    const auto items = find_class_items(name);
    if (items && !is_negated) {
      set.items += *items;
    } else {
      set.patterns.push_back(data::one_of(cursor_, name, is_negated));
    }
  }

  void read_range(CharacterSet& set) {
    const char32_t first = read_character();
    const std::string_view rest = cursor_.rest();
    if (rest.size() < 2 || rest[0] != '-' || rest[1] == ']') {
      set.items += spelled(first);
      return;
    }
    cursor_.take("-");
    const char next = cursor_.peek();
    if (next == '[' || cursor_.rest().starts_with("&&"))
      cursor_.refuse("a range without its last character");
    const char32_t last = read_character();
    if (last < first) cursor_.refuse("a range that ends before it begins");
    set.items += spelled(first) + "-" + spelled(last);
  }

  char32_t read_character() {
    const bool is_escaped = cursor_.take("\\");
    if (is_escaped && cursor_.take("b")) return '\b';
    const char32_t character = is_escaped ? cursor_.take_escaped() : cursor_.take_character();
    if (is_caseless_ && character >= 0x80)
      cursor_.refuse("a letter that is not ASCII and whose case is not told");
    return character;
  }

  PatternCursor& cursor_;
  bool is_caseless_;
};

}  // namespace

std::string take_brackets(PatternCursor& cursor, bool is_caseless) {
  return Brackets(cursor, is_caseless).read(1).one_of();
}

}  // namespace knead::data
