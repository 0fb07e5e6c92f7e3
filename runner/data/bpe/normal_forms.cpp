#include "runner/data/bpe/normal_forms.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <utf8proc.h>

#include "runner/data/bpe/character_class.h"
#include "runner/data/bpe/character_tables.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

utf8proc_option_t options_of(NormalForm form) {
  int options = UTF8PROC_STABLE;
  const bool composes = form == NormalForm::nfc || form == NormalForm::nfkc;
  const bool is_compatible = form == NormalForm::nfkc || form == NormalForm::nfkd;
  options |= composes ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE;
  if (is_compatible) options |= UTF8PROC_COMPAT;
  return static_cast<utf8proc_option_t>(options);
}

void append_form(std::string& out, std::string_view text, NormalForm form) {
  if (text.empty()) return;
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &made, options_of(form));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
  if (size < 0) throw Error(fmt::format("a text cannot be normalised: {}", utf8proc_errmsg(size)));
  out.append(reinterpret_cast<const char*>(made), static_cast<std::size_t>(size));
}

/// Returns whether the library leaves a character unchanged in every normal form.
bool is_left_alone(char32_t character) {
  const auto ranges = unnormalized_characters();
  const auto behind = std::ranges::upper_bound(ranges, character, {}, &CharacterRange::first);
  return behind != ranges.begin() && character <= std::prev(behind)->last;
}

/// Returns the lower case of a character with the library's exceptions.
std::string lower_case_character(char32_t character) {
  const auto others = other_lower_cases();
  const auto other = std::ranges::lower_bound(others, character, {}, &LowerCase::character);
  if (other != others.end() && other->character == character) return std::string(other->lower);
  std::string lower;
  append_character(
      lower, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(character))));
  return lower;
}

}  // namespace

std::string normal_form_of(std::string_view text, NormalForm form) {
  // The library's tables are those of Unicode 9. A newer character has no normal form there and
  // does not combine with its neighbours, so the text between such characters is normalized by
  // itself.
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
    } else if (is_left_alone(next_character(text, at))) {
      append_form(out, text.substr(from, begin - from), form);
      out += text.substr(begin, at - begin);
      from = at;
    }
  }
  append_form(out, text.substr(from), form);
  return out;
}

std::string lower_case_of(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      out += static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte);
      ++at;
    } else {
      out += lower_case_character(next_character(text, at));
    }
  }
  return out;
}

}  // namespace knead::data
