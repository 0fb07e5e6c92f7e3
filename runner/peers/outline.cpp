#include "runner/peers/outline.h"

#include <cctype>
#include <optional>

namespace knead::peers {
namespace {

// No mark of a trainer or a stranger has more than three names.
constexpr int kMostLevels = 3;
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

/// Returns a name of letters, digits, '_', '-' and '.', quoted or not, or std::nullopt for any
/// other text.
std::optional<std::string_view> name_in(std::string_view text) {
  text = trimmed(text);
  const bool is_quoted = text.size() > 2 && text.front() == '"' && text.back() == '"';
  if (is_quoted) text = text.substr(1, text.size() - 2);
  if (text.empty()) return std::nullopt;
  for (const char c : text) {
    const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (!is_letter && c != '_' && c != '-' && c != '.') return std::nullopt;
  }
  return text;
}

/// Returns "training" for the section heads [training] and [[training]].
std::optional<std::string_view> section_of(std::string_view line) {
  line = trimmed(line.substr(0, line.find('#')));
  if (line.size() < 3 || line.front() != '[' || line.back() != ']') return std::nullopt;
  line = line.substr(1, line.size() - 2);
  if (line.front() == '[' && line.back() == ']') line = line.substr(1, line.size() - 2);
  return name_in(line);
}

/// Returns whether a line is empty or a comment in one of the supported formats.
bool is_remark(std::string_view line) {
  return line.empty() || line.starts_with('#') || line.starts_with(';') || line.starts_with("//");
}

/// Returns whether a line is typical for the beginning of a Python file.
bool begins_python(std::string_view line) {
  return line.starts_with("import ") || line.starts_with("from ") || line.starts_with("\"\"\"");
}

/// Returns the name before a sign, or std::nullopt if it is not a name.
std::optional<std::string_view> name_before(std::string_view line, char sign) {
  const std::size_t at = line.find(sign);
  return at == line.npos ? std::nullopt : name_in(line.substr(0, at));
}

/// Returns the value after a sign, without quotes and a trailing comma.
std::string_view value_after(std::string_view line, char sign) {
  std::string_view value = trimmed(line.substr(line.find(sign) + 1));
  if (value.ends_with(',')) value.remove_suffix(1);
  const bool is_quoted = value.size() > 1 && value.front() == '"' && value.back() == '"';
  return is_quoted ? value.substr(1, value.size() - 2) : value;
}

std::string joined(std::string_view block, std::string_view name) {
  return block.empty() ? std::string(name) : std::string(block) + "." + std::string(name);
}

/// Returns whether a pattern, in which '*' stands for one name, matches a dotted key.
bool stands_for(std::string_view pattern, std::string_view path) {
  while (true) {
    const std::string_view wanted = pattern.substr(0, pattern.find('.'));
    const std::string_view name = path.substr(0, path.find('.'));
    if (wanted != "*" && wanted != name) return false;
    const bool is_last = wanted.size() == pattern.size();
    if (is_last || name.size() == path.size()) return is_last && name.size() == path.size();
    pattern.remove_prefix(wanted.size() + 1);
    path.remove_prefix(name.size() + 1);
  }
}

}  // namespace

Outline::Outline(const schema::Node& root) { collect("", root, 1); }

void Outline::collect(const std::string& path, const schema::Node& node, int depth) {
  for (const schema::Entry& entry : node.entries) {
    const std::string key = joined(path, entry.key);
    add(key, entry.value.is_scalar() ? entry.value.text : "", entry.place.line());
    if (depth < kMostLevels) collect(key, entry.value, depth + 1);
  }
}

Outline::Outline(std::string_view text) {
  std::string section;
  bool is_first = true;
  bool begins_so = false;
  bool assigns = false;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view line = trimmed(whole);
    if (is_remark(line)) continue;
    const auto head = section_of(line);
    const auto assigned = name_before(line, '=');
    // The first line decides, because '=' also stands in values and texts of YAML.
    if (is_first) begins_so = head || assigned || begins_python(line);
    is_first = false;
    if (head) {
      section = *head;
      add(section, "", line_number);
    } else if (assigned) {
      assigns = true;
      add(joined(section, *assigned), value_after(line, '='), line_number);
    } else if (const auto key = name_before(line, ':');
               key && (line.front() == '"' || line.data() == whole.data())) {
      add(std::string(*key), value_after(line, ':'), line_number);
    }
    if (line.find(": !new:") != line.npos) add("!new", "", line_number);
  }
  is_of_assignments_ = begins_so && assigns;
}

void Outline::add(const std::string& path, std::string_view text, int line) {
  seen_.emplace(path, Seen{path, std::string(text), line});
}

const Seen* Outline::find(std::string_view pattern) const {
  if (pattern.find('*') == pattern.npos) {
    const auto found = seen_.find(pattern);
    return found == seen_.end() ? nullptr : &found->second;
  }
  for (const auto& [path, seen] : seen_) {
    if (stands_for(pattern, path)) return &seen;
  }
  return nullptr;
}

}  // namespace knead::peers
