#include "runner/peers/draft.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "schema/table/catalog.h"

namespace knead::peers {
namespace {

constexpr int kCommentColumn = 34;  // where comments begin if the line is short enough
constexpr std::size_t kWidth = 100;

/// Wraps a comment at blanks. `before` begins each further line; `used` is the width of the first
/// line so far.
std::string wrapped(const std::string& text, const std::string& before, std::size_t used) {
  std::string out;
  std::size_t column = used;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const auto width = static_cast<std::size_t>(schema::code_points(word));
    if (column + 1 + width > kWidth && at > 0) {
      out += "\n" + before;
      column = before.size();
    }
    out += " " + word;
    column += 1 + width;
    at = end + 1;
  }
  return out;
}

/// Returns the comment of a line: the keys that it comes from, then its note.
std::string comment_of(const Setting& setting) {
  if (setting.is_open()) return setting.note;
  std::vector<std::string> words;
  for (const Item* item : setting.from) {
    const bool is_same = setting.from.size() == 1 && item->shown() == setting.value;
    const std::string name = is_same ? item->path : item->in_words();
    words.push_back(item->is_habit ? fmt::format("{} (usual there)", name) : name);
  }
  std::string out = fmt::format("{}", fmt::join(words, setting.joint));
  if (!setting.note.empty()) out += (out.empty() ? "" : "; ") + setting.note;
  return out;
}

/// Returns the position of each key in the language; for a key of several kinds, the first one.
std::map<std::string, std::size_t> order_of_keys() {
  std::map<std::string, std::size_t> order;
  for (const schema::Listed& listed : schema::every_key(schema::recipe_type()))
    order.emplace(listed.path(), order.size());
  return order;
}

/// Returns the lines in the order of the language; unknown paths come last.
std::vector<const Setting*> in_order(const Draft& draft) {
  const std::map<std::string, std::size_t> order = order_of_keys();
  const auto rank = [&](const Setting* setting) {
    const auto found = order.find(setting->path);
    return found == order.end() ? order.size() : found->second;
  };
  std::vector<const Setting*> lines;
  for (const Setting& setting : draft.settings()) lines.push_back(&setting);
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const Setting* a, const Setting* b) { return rank(a) < rank(b); });
  return lines;
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  for (std::size_t dot; (dot = path.find('.', at)) != path.npos; at = dot + 1)
    parts.push_back(path.substr(at, dot - at));
  parts.push_back(path.substr(at));
  return parts;
}

/// Writes the heads of the blocks that a line is in and the previous line was not.
std::string heads(const std::vector<std::string>& parts, const std::vector<std::string>& before) {
  std::string out;
  bool is_new = false;
  for (std::size_t depth = 0; depth + 1 < parts.size(); ++depth) {
    is_new = is_new || depth >= before.size() || before[depth] != parts[depth];
    if (!is_new) continue;
    if (depth == 0) out += "\n";
    out += fmt::format("{:{}}{}:\n", "", 2 * depth, parts[depth]);
  }
  return out;
}

/// Writes the keys behind an open line above it; the comment of the line says what to fill in.
std::string told_above(const Setting& setting, std::size_t depth) {
  std::string out;
  for (const Item* item : setting.from) {
    if (setting.is_open())
      out += fmt::format("{:{}}# theirs: {}\n", "", 2 * depth, item->in_words());
  }
  return out;
}

std::string line_of(const Setting& setting, std::size_t depth) {
  const std::string key = parts_of(setting.path).back();
  std::string line =
      fmt::format("{:{}}{}:{}{}", "", 2 * depth, key, setting.is_open() ? "" : " ", setting.value);
  const std::string comment = comment_of(setting);
  if (comment.empty()) return line + "\n";
  const int width = std::max(schema::code_points(line) + 2, kCommentColumn);
  line += std::string(static_cast<std::size_t>(width - schema::code_points(line)), ' ') + "#";
  const std::string before = std::string(kCommentColumn, ' ') + "#";
  return line + wrapped(comment, before, static_cast<std::size_t>(width) + 1) + "\n";
}

std::string lines_of(const Draft& draft) {
  std::string out;
  std::vector<std::string> before;
  for (const Setting* setting : in_order(draft)) {
    const std::vector<std::string> parts = parts_of(setting->path);
    const bool leaves_block = parts.size() == 1 && before.size() > 1;
    out += (leaves_block ? "\n" : "") + heads(parts, before);
    out += told_above(*setting, parts.size() - 1) + line_of(*setting, parts.size() - 1);
    before = parts;
  }
  return out;
}

/// Lists the keys of one fate under their reasons, in the order of the file.
std::string told(const Theirs& theirs, Fate fate, const std::string& head) {
  std::vector<std::string> reasons;
  std::map<std::string, std::string> lines;
  for (const Item& item : theirs.items()) {
    if (item.fate != fate) continue;
    if (!lines.contains(item.reason)) reasons.push_back(item.reason);
    lines[item.reason] += fmt::format("#   theirs: {}\n", item.in_words());
  }
  std::string out;
  for (const std::string& reason : reasons)
    out += "#" + wrapped(head + reason, "#  ", 1) + "\n" + lines[reason];
  return out.empty() ? "" : "\n" + out;
}

std::string unknown_keys(const Theirs& theirs) {
  std::string out;
  for (const Item& item : theirs.items()) {
    if (item.fate != Fate::unknown) continue;
    out += fmt::format("#   theirs: {}{}\n", item.in_words(),
                       item.reason.empty() ? "" : fmt::format("  (did you mean {}?)", item.reason));
  }
  if (out.empty()) return "";
  return fmt::format("\n# unknown: no keys of {} that knead knows of\n{}", theirs.peer().title,
                     out);
}

std::string off_keys(const Theirs& theirs) {
  std::vector<std::string> names;
  for (const Item& item : theirs.items()) {
    if (item.fate == Fate::off) names.push_back(item.path);
  }
  if (names.empty()) return "";
  const std::string head = "off, empty or as usual there, so nothing to say here:";
  return fmt::format("\n#{}\n",
                     wrapped(fmt::format("{} {}", head, fmt::join(names, ", ")), "#  ", 1));
}

std::size_t count(const Theirs& theirs, Fate fate) {
  return static_cast<std::size_t>(
      std::count_if(theirs.items().begin(), theirs.items().end(),
                    [&](const Item& item) { return item.fate == fate && !item.is_habit; }));
}

/// Counts the keys of lines that have to be filled in.
std::size_t count_left(const Draft& draft) {
  std::size_t keys = 0;
  for (const Setting& setting : draft.settings()) {
    if (setting.is_open()) keys += setting.from.size();
  }
  return keys;
}

std::string counts(const Draft& draft, const Theirs& theirs) {
  const std::size_t left = count_left(draft);
  const std::array<std::pair<std::size_t, std::string_view>, 7> all{
      {{count(theirs, Fate::taken) - left, "taken over"},
       {left, "where you fill in"},
       {count(theirs, Fate::off), "off"},
       {count(theirs, Fate::no_need), "not needed"},
       {count(theirs, Fate::idle), "not counting"},
       {count(theirs, Fate::without), "without a counterpart"},
       {count(theirs, Fate::unknown), "unknown"}}};
  std::string out;
  for (const auto& [keys, what] : all) {
    if (keys > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", keys, what);
  }
  return out;
}

std::string title(const Draft& draft, const Theirs& theirs, const std::string& file) {
  const auto keys = std::count_if(theirs.items().begin(), theirs.items().end(),
                                  [](const Item& item) { return !item.is_habit; });
  const auto open = std::count_if(draft.settings().begin(), draft.settings().end(),
                                  [](const Setting& setting) { return setting.is_open(); });
  std::string out =
      "#" +
      wrapped(
          fmt::format("{} ({}) as a recipe. Of {}: {}.", file, theirs.peer().title,
                      keys == 1 ? "1 key" : fmt::format("{} keys", keys), counts(draft, theirs)),
          "#", 1) +
      "\n";
  if (open == 0) return out;
  const std::string places = open == 1 ? "1 place" : fmt::format("{} places", open);
  return out + fmt::format("# {} to fill in: 'knead lint' names what is left.\n", places);
}

}  // namespace

Setting& Setting::of(Item* item) {
  if (!item) return *this;
  item->fate = Fate::taken;
  from.push_back(item);
  return *this;
}

Setting& Setting::noted(std::string words) {
  note += (note.empty() ? "" : "; ") + std::move(words);
  return *this;
}

Setting& Draft::set(std::string path, std::string value) {
  return settings_.emplace_back(Setting{.path = std::move(path), .value = std::move(value)});
}

Setting& Draft::leave_open(std::string path, std::string what) {
  return set(std::move(path), "").noted("FILL IN: " + std::move(what));
}

Setting& Draft::open(const std::string& path, const std::string& what) {
  const auto found = std::find_if(settings_.begin(), settings_.end(),
                                  [&](const Setting& setting) { return setting.path == path; });
  if (found == settings_.end()) return leave_open(path, what);
  if (found->is_open()) return *found;
  found->value.clear();
  found->note = "FILL IN: " + what;
  // The default does not apply, so the line must not name it.
  std::erase_if(found->from, [](const Item* item) { return item->is_habit; });
  return *found;
}

bool Draft::has(std::string_view path) const {
  return std::any_of(settings_.begin(), settings_.end(),
                     [&](const Setting& setting) { return setting.path == path; });
}

std::string written(const Draft& draft, const Theirs& theirs, const std::string& file) {
  return title(draft, theirs, file) + "\n" + lines_of(draft) +
         told(theirs, Fate::without, "no counterpart: ") +
         told(theirs, Fate::idle, "does not count: ") +
         told(theirs, Fate::no_need, "needs no key: ") + off_keys(theirs) + unknown_keys(theirs);
}

}  // namespace knead::peers
