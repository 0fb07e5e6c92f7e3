#include <algorithm>
#include <bitset>
#include <cctype>

#include <fmt/format.h>

#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/text.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

const std::string& text_of_self(const Arguments& arguments) {
  return to_text(arguments.positional.at(0), "self");
}

/// Changes the case of ASCII letters; other characters stay as they are.
std::string changed(const std::string& text, int (*change)(int)) {
  std::string result = text;
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x80) c = static_cast<char>(change(c));
  }
  return result;
}

Value lower(Evaluator&, const Arguments& arguments) {
  return changed(text_of_self(arguments), [](int c) { return std::tolower(c); });
}
Value upper(Evaluator&, const Arguments& arguments) {
  return changed(text_of_self(arguments), [](int c) { return std::toupper(c); });
}
Value capitalize(Evaluator&, const Arguments& arguments) {
  std::string text = changed(text_of_self(arguments), [](int c) { return std::tolower(c); });
  if (!text.empty())
    text.replace(0, 1, changed(text.substr(0, 1), [](int c) { return std::toupper(c); }));
  return text;
}
Value title(Evaluator&, const Arguments& arguments) {
  std::string text = text_of_self(arguments);
  bool inside = false;
  for (char& c : text) {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    if (letter) c = static_cast<char>(inside ? std::tolower(c) : std::toupper(c));
    inside = letter;
  }
  return text;
}

/// Implements strip, lstrip and rstrip.
Value strip(const Arguments& arguments, std::string_view name, bool left, bool right) {
  const BoundArguments bound(name, arguments, {"self", "chars"}, 1);
  const std::string& text = text_of_self(arguments);
  const std::string characters =
      is_none(bound.or_none(1)) ? " \t\n\r\f\v" : to_text(bound[1], "chars");
  std::size_t begin = 0;
  std::size_t end = text.size();
  std::bitset<256> is_stripped;
  for (const char c : characters) is_stripped.set(static_cast<unsigned char>(c));
  const auto goes = [&](std::size_t place) {
    return is_stripped[static_cast<unsigned char>(text[place])];
  };
  while (left && begin < end && goes(begin)) ++begin;
  while (right && end > begin && goes(end - 1)) --end;
  return text.substr(begin, end - begin);
}
Value strip_both(Evaluator&, const Arguments& arguments) {
  return strip(arguments, "strip", true, true);
}
Value strip_left(Evaluator&, const Arguments& arguments) {
  return strip(arguments, "lstrip", true, false);
}
Value strip_right(Evaluator&, const Arguments& arguments) {
  return strip(arguments, "rstrip", false, true);
}

/// Implements ljust, rjust and center. As in Python, center() puts the smaller half on the left if
/// the width of the text is even or both are odd.
Value padded(Evaluator& evaluator, const Arguments& arguments, const char* name, int side) {
  const BoundArguments bound(name, arguments, {"self", "width", "fillchar"}, 2);
  const std::string& text = text_of_self(arguments);
  const std::string fill = bound.has(2) ? to_text(bound[2], "fillchar") : " ";
  if (evaluator.length(fill) != 1) {
    throw Mistake::of("TypeError", "The fill character must be exactly one character long");
  }
  const std::int64_t width = to_integer(bound[1]);
  const std::int64_t missing =
      std::max<std::int64_t>(0, width - static_cast<std::int64_t>(evaluator.length(text)));
  if (missing > 1'000'000) throw Mistake("this text is too long");
  const std::int64_t half = missing / 2 + (missing & width & 1);
  const std::int64_t left = side < 0 ? 0 : side > 0 ? missing : half;
  std::string result;
  for (std::int64_t i = 0; i < left; ++i) result += fill;
  result += text;
  for (std::int64_t i = left; i < missing; ++i) result += fill;
  return result;
}
Value pad_right(Evaluator& evaluator, const Arguments& arguments) {
  return padded(evaluator, arguments, "ljust", -1);
}
Value pad_left(Evaluator& evaluator, const Arguments& arguments) {
  return padded(evaluator, arguments, "rjust", 1);
}
Value pad_both(Evaluator& evaluator, const Arguments& arguments) {
  return padded(evaluator, arguments, "center", 0);
}

/// Implements startswith and endswith with one text or a tuple of texts.
template <bool at_the_begin>
Value ends(Evaluator& evaluator, const Arguments& arguments) {
  const char* const name = at_the_begin ? "startswith" : "endswith";
  const BoundArguments bound(name, arguments, {"self", "prefix"}, 2);
  const std::string& text = text_of_self(arguments);
  const auto fits = [&](const Value& one) {
    evaluator.spend(1 + std::min(text_steps(one), text_steps(bound[0])));
    const std::string& part = to_text(one, name);
    return at_the_begin ? text.starts_with(part) : text.ends_with(part);
  };
  const auto* several = as<Tuple>(bound[1]);
  if (!several) return fits(bound[1]);
  return std::any_of((*several)->items.begin(), (*several)->items.end(), fits);
}
Value remove_prefix(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("removeprefix", arguments, {"self", "prefix"}, 2);
  const std::string& prefix = to_text(bound[1], "prefix");
  const std::string& text = text_of_self(arguments);
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}
Value remove_suffix(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("removesuffix", arguments, {"self", "suffix"}, 2);
  const std::string& suffix = to_text(bound[1], "suffix");
  const std::string& text = text_of_self(arguments);
  return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
}

/// Splits a text at white space.
Values words(const std::string& text) {
  Values parts;
  std::size_t place = 0;
  while ((place = text.find_first_not_of(" \t\n\r\f\v", place)) != std::string::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\n\r\f\v", place), text.size());
    parts.emplace_back(text.substr(place, end - place));
    place = end;
  }
  return parts;
}

/// Returns the parts as a list and counts its items.
Value counted_list(Evaluator& evaluator, Values parts) {
  evaluator.spend_items(static_cast<std::int64_t>(parts.size()));
  return make_list(std::move(parts));
}

Value split(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("split", arguments, {"self", "sep", "maxsplit"}, 1);
  const std::string& text = text_of_self(arguments);
  std::int64_t left = bound.has(2) ? to_integer(bound[2]) : -1;
  if (is_none(bound.or_none(1))) {
    if (left >= 0) throw Mistake("split() with maxsplit needs a separator");
    return counted_list(evaluator, words(text));
  }
  const std::string& separator = to_text(bound[1], "sep");
  if (separator.empty()) throw Mistake("empty separator");
  Values parts;
  std::size_t place = 0;
  while (left-- != 0) {
    const std::size_t end = find_text(text, separator, place);
    if (end == std::string::npos) break;
    parts.emplace_back(text.substr(place, end - place));
    evaluator.spend_item(parts.back());
    place = end + separator.size();
  }
  parts.emplace_back(text.substr(place));
  return counted_list(evaluator, std::move(parts));
}

Value join(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("join", arguments, {"self", "iterable"}, 2);
  const std::string& separator = text_of_self(arguments);
  std::string result;
  bool first = true;
  for (const Value& item : evaluator.items(bound[1])) {
    if (!first) result += separator;
    evaluator.spend(static_cast<std::int64_t>(separator.size()));
    first = false;
    if (!is_text(item)) {
      throw Mistake(fmt::format("sequence item: expected str instance, {} found", type_name(item)));
    }
    result += std::get<std::string>(item);
    evaluator.spend(static_cast<std::int64_t>(std::get<std::string>(item).size()));
  }
  return result;
}

Value replace(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("replace", arguments, {"self", "old", "new"}, 3);
  const std::string& text = text_of_self(arguments);
  const std::string& old = to_text(bound[1], "old");
  const std::string& fresh = to_text(bound[2], "new");
  if (old.empty())
    throw Mistake("replace() of an empty text is not part of the language of models");
  std::string result;
  std::size_t place = 0;
  for (std::size_t found = 0; (found = find_text(text, old, place)) != std::string::npos;) {
    result += text.substr(place, found - place) + fresh;
    place = found + old.size();
    evaluator.spend(static_cast<std::int64_t>(fresh.size()) + 1);
  }
  return result + text.substr(place);
}

/// Returns the byte of a code point, which may count from the end; `otherwise` without one.
std::size_t byte_of_bound(const std::string& text, const Value& place, std::size_t otherwise) {
  if (is_none(place)) return otherwise;
  const auto size = static_cast<std::int64_t>(schema::code_points(text));
  const std::int64_t wanted = to_integer(place);
  const std::int64_t point = wanted < 0 ? std::max<std::int64_t>(wanted + size, 0) : wanted;
  if (point > size) return std::string::npos;
  std::size_t at = 0;
  for (std::int64_t seen = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U && seen++ == point) break;
  }
  return at;
}

template <bool must_be_there>
Value find(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("find", arguments, {"self", "sub", "start", "end"}, 2);
  const std::string& text = text_of_self(arguments);
  const std::string& part = to_text(bound[1], "sub");
  const std::size_t begin = byte_of_bound(text, bound.or_none(2), 0);
  const std::size_t end = byte_of_bound(text, bound.or_none(3), text.size());
  const std::size_t place = find_text(text, part, begin);
  const bool is_there = place != std::string::npos && place + part.size() <= end;
  if (must_be_there && !is_there) throw Mistake::of("ValueError", "substring not found");
  if (!is_there) return make_integer(-1);
  // Python counts code points, and std::string counts bytes.
  return static_cast<std::int64_t>(schema::code_points(std::string_view(text).substr(0, place)));
}

Value count_in_text(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("count", arguments, {"self", "sub"}, 2);
  const std::string& text = text_of_self(arguments);
  const std::string& part = to_text(bound[1], "sub");
  if (part.empty()) return static_cast<std::int64_t>(schema::code_points(text)) + 1;
  std::int64_t number = 0;
  for (std::size_t place = 0; (place = find_text(text, part, place)) != std::string::npos;) {
    place += part.size();
    ++number;
  }
  return number;
}

Value format(Evaluator& evaluator, const Arguments& arguments) {
  Arguments rest = arguments;
  rest.positional.erase(rest.positional.begin());
  return brace_format(evaluator, text_of_self(arguments), rest);
}

/// Implements isdigit, isalpha and isalnum for ASCII.
template <int (*Is)(int)>
Value all_are(Evaluator&, const Arguments& arguments) {
  const std::string& text = text_of_self(arguments);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return Is(static_cast<unsigned char>(c)) != 0;
  });
}

}  // namespace

void add_text_methods(Class& type) {
  const std::pair<const char*, Method> methods[] = {{"lower", lower},
                                                    {"upper", upper},
                                                    {"capitalize", capitalize},
                                                    {"title", title},
                                                    {"strip", strip_both},
                                                    {"lstrip", strip_left},
                                                    {"rstrip", strip_right},
                                                    {"ljust", pad_right},
                                                    {"rjust", pad_left},
                                                    {"center", pad_both},
                                                    {"startswith", ends<true>},
                                                    {"endswith", ends<false>},
                                                    {"removeprefix", remove_prefix},
                                                    {"removesuffix", remove_suffix},
                                                    {"split", split},
                                                    {"join", join},
                                                    {"replace", replace},
                                                    {"find", find<false>},
                                                    {"index", find<true>},
                                                    {"count", count_in_text},
                                                    {"format", format},
                                                    {"isdigit", all_are<std::isdigit>},
                                                    {"isalpha", all_are<std::isalpha>},
                                                    {"isalnum", all_are<std::isalnum>}};
  for (const auto& [name, method] : methods) add_method(type, name, method);
}

}  // namespace knead::engine::model
