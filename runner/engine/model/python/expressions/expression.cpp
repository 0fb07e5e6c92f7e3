#include "runner/engine/model/python/expressions/expression.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <algorithm>

#include <fmt/format.h>
#include <pcre2.h>

#include "runner/engine/model/python/expressions/translate.h"
#include "runner/engine/model/values/mistake.h"

namespace knead::engine::model {
namespace {

std::string pcre2_words(int code) {
  PCRE2_UCHAR text[256];
  pcre2_get_error_message(code, text, sizeof text);
  return reinterpret_cast<const char*>(text);
}

PCRE2_SPTR pcre2_text(const std::string& text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

std::uint32_t options_of(std::int64_t flags) {
  std::uint32_t options = PCRE2_UTF | PCRE2_ALT_CIRCUMFLEX | PCRE2_NEVER_BACKSLASH_C;
  if ((flags & 2) != 0) options |= PCRE2_CASELESS;
  if ((flags & 8) != 0) options |= PCRE2_MULTILINE;
  if ((flags & 16) != 0) options |= PCRE2_DOTALL;
  if ((flags & 64) != 0) options |= PCRE2_EXTENDED;
  if ((flags & 256) == 0) options |= PCRE2_UCP;
  return options;
}

std::vector<std::pair<std::string, std::size_t>> names_in(const pcre2_code* code) {
  std::uint32_t count = 0;
  std::uint32_t size = 0;
  PCRE2_SPTR table = nullptr;
  pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &count);
  pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &size);
  pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &table);
  std::vector<std::pair<std::string, std::size_t>> names;
  for (std::uint32_t i = 0; i < count; ++i, table += size) {
    // Two bytes of number stand before each name.
    names.emplace_back(reinterpret_cast<const char*>(table + 2),
                       static_cast<std::size_t>(table[0]) * 256 + table[1]);
  }
  std::sort(names.begin(), names.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  return names;
}

}  // namespace

Expression::Expression(const std::string& pattern, std::int64_t flags) {
  const std::string translated = to_pcre2(pattern);
  int error = 0;
  PCRE2_SIZE place = 0;
  pcre2_code* code = pcre2_compile(pcre2_text(translated), translated.size(), options_of(flags),
                                   &error, &place, nullptr);
  if (code == nullptr) {
    throw Mistake::of(
        "error", fmt::format("{} in the regular expression '{}'", pcre2_words(error), pattern));
  }
  code_ = std::shared_ptr<void>(code,
                                [](void* one) { pcre2_code_free(static_cast<pcre2_code*>(one)); });
  std::uint32_t groups = 0;
  pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
  groups_ = groups;
  names_ = names_in(code);
}

std::optional<Expression::Spans> Expression::find(const std::string& text, std::size_t from,
                                                  Mode mode, bool advances) const {
  const auto* code = static_cast<const pcre2_code*>(code_.get());
  std::uint32_t options = 0;
  if (mode != Mode::search) options |= PCRE2_ANCHORED;
  if (mode == Mode::fullmatch) options |= PCRE2_ENDANCHORED;
  if (advances) options |= PCRE2_NOTEMPTY_ATSTART;
  const std::unique_ptr<pcre2_match_context, decltype(&pcre2_match_context_free)> context(
      pcre2_match_context_create(nullptr), &pcre2_match_context_free);
  constexpr std::uint32_t kSteps = 1'000'000;
  pcre2_set_match_limit(context.get(), kSteps);
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> found(
      pcre2_match_data_create_from_pattern(code, nullptr), &pcre2_match_data_free);
  const int count =
      pcre2_match(code, pcre2_text(text), text.size(), from, options, found.get(), context.get());
  if (count == PCRE2_ERROR_NOMATCH) return std::nullopt;
  if (count < 0) {
    throw Mistake(fmt::format("a regular expression cannot be matched: {}", pcre2_words(count)));
  }
  const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(found.get());
  Spans spans;
  for (std::size_t group = 0; group <= groups_; ++group) {
    spans.emplace_back(ends[2 * group], ends[2 * group + 1]);
  }
  return spans;
}

}  // namespace knead::engine::model
