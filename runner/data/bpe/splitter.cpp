#include "runner/data/bpe/splitter.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include "schema/error.h"

namespace knead::data {
namespace {

/// White_Space of Unicode. PCRE2's own `\s` has U+180E besides.
constexpr std::string_view kWhiteSpace =
    R"(\x{09}-\x{0D}\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";

std::string words_of(int code) {
  PCRE2_UCHAR text[256];
  pcre2_get_error_message(code, text, sizeof text);
  return reinterpret_cast<const char*>(text);
}

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

/// What matching writes to; each thread has its own.
struct Matches {
  explicit Matches(const pcre2_code* code)
      : data(pcre2_match_data_create_from_pattern(code, nullptr)) {}
  ~Matches() { pcre2_match_data_free(data); }
  Matches(const Matches&) = delete;
  Matches& operator=(const Matches&) = delete;

  pcre2_match_data* data;
};

}  // namespace

std::string translated(std::string_view pattern, const std::string& where) {
  std::string out;
  bool is_in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      const char next = pattern[++i];
      if (next == 's') {
        out += is_in_class ? std::string(kWhiteSpace) : fmt::format("[{}]", kWhiteSpace);
      } else if (next == 'S' && !is_in_class) {
        out += fmt::format("[^{}]", kWhiteSpace);
      } else if (next == 'S') {
        throw Error(fmt::format(
            "{}: the pattern has \\S between brackets, which knead does not read", where));
      } else {
        out += {c, next};
      }
      continue;
    }
    if (c == '[' && is_in_class)
      throw Error(fmt::format(
          "{}: the pattern has brackets between brackets, which knead does not read", where));
    if (c == '[') is_in_class = true;
    if (c == ']') is_in_class = false;
    out += c;
  }
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && !std::isalnum(byte) && c != '\n') out += '\\';
    out += c;
  }
  return out;
}

struct Splitter::Compiled {
  Compiled(const std::string& pattern, const std::string& where_) : where(where_) {
    int failure = 0;
    PCRE2_SIZE at = 0;
    const std::uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_DOLLAR_ENDONLY | PCRE2_NO_UTF_CHECK;
    code = pcre2_compile(units(pattern), pattern.size(), options, &failure, &at, nullptr);
    if (!code)
      throw Error(fmt::format("{}: knead does not read the pattern '{}': {}", where, pattern,
                              words_of(failure)));
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // where it cannot, matching is slower
  }
  ~Compiled() { pcre2_code_free(code); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  std::string where;
  pcre2_code* code = nullptr;
};

Splitter::Splitter(const std::string& pattern, Keep keep, const std::string& where)
    : compiled_(std::make_unique<const Compiled>(translated(pattern, where), where)), keep_(keep) {}

Splitter::~Splitter() = default;
Splitter::Splitter(Splitter&&) noexcept = default;

void Splitter::split(std::string_view text, std::vector<std::string_view>& pieces) const {
  const Matches matches(compiled_->code);
  const auto add = [&](std::size_t begin, std::size_t end, bool is_match) {
    const bool is_wanted = keep_ == Keep::all || is_match == (keep_ == Keep::matches);
    if (begin < end && is_wanted) pieces.push_back(text.substr(begin, end - begin));
  };
  std::size_t from = 0;  // what comes before it is dealt with
  std::size_t at = 0;
  while (at < text.size()) {
    const int found = pcre2_match(compiled_->code, units(text), text.size(), at, PCRE2_NO_UTF_CHECK,
                                  matches.data, nullptr);
    if (found == PCRE2_ERROR_NOMATCH) break;
    if (found < 0)
      throw Error(fmt::format("{}: the pattern fails at byte {} of a text: {}", compiled_->where,
                              at, words_of(found)));
    const PCRE2_SIZE* place = pcre2_get_ovector_pointer(matches.data);
    add(from, place[0], false);
    add(place[0], place[1], true);
    from = place[1];
    at = place[1];
    if (place[0] != place[1]) continue;
    do {  // nothing was matched: it is looked for behind the next character
      ++at;
    } while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  }
  add(from, text.size(), false);
}

}  // namespace knead::data
