#include "runner/data/bpe/splitter.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include "schema/document/error.h"

namespace knead::data {
namespace {

std::string words_of(int code) {
  PCRE2_UCHAR text[256];
  pcre2_get_error_message(code, text, sizeof text);
  return reinterpret_cast<const char*>(text);
}

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

/// Owns the memory that matching writes to; each call has its own, so that threads do not
/// interfere.
struct Scratch {
  Scratch(const pcre2_code* code, files::Budget& budget_)
      : data(pcre2_match_data_create_from_pattern(code, nullptr)),
        context(pcre2_match_context_create(nullptr)),
        budget(budget_) {}
  ~Scratch() {
    pcre2_match_context_free(context);
    pcre2_match_data_free(data);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  pcre2_match_data* data;
  pcre2_match_context* context;
  files::Budget& budget;
};

/// Steps that a match may take before they count. Patterns of tokenizers take some ten for a piece.
constexpr std::uint32_t kFreeSteps = 256;
constexpr std::uint32_t kMostSteps = 1 << 30;
constexpr std::uint64_t kStepsOfInterpreter = 10;  // it takes ten times as long for each

/// Returns the offset behind the UTF-8 character that begins at `at`.
std::size_t behind_character(std::string_view text, std::size_t at) {
  do {
    ++at;
  } while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  return at;
}

/// Joins the parts of a text to pieces as they come.
class Pieces {
 public:
  Pieces(std::string_view text, Splitter::Matches matches, std::vector<std::string_view>& out)
      : text_(text), matches_(matches), out_(out) {}

  void take(std::size_t begin, std::size_t end, bool is_match) {
    switch (matches_) {
      case Splitter::Matches::isolated: return add(begin, end);
      case Splitter::Matches::removed: return is_match ? void() : add(begin, end);
      case Splitter::Matches::contiguous:
        return take_or_join(begin, end, is_match, is_match == was_match_);
      case Splitter::Matches::merged_with_previous:
        return take_or_join(begin, end, is_match, is_match && !was_match_);
      case Splitter::Matches::merged_with_next:
        return take_or_join(begin, end, is_match, !is_match && was_match_);
    }
  }

  void finish() {
    if (holds_) add(begin_, end_);
  }

 private:
  /// Holds a part back, because the next part may be joined to it.
  void take_or_join(std::size_t begin, std::size_t end, bool is_match, bool joins) {
    if (!joins) finish();
    if (!joins || !holds_) begin_ = begin;
    end_ = end;
    holds_ = true;
    was_match_ = is_match;
  }

  void add(std::size_t begin, std::size_t end) {
    if (begin < end) out_.push_back(text_.substr(begin, end - begin));
  }

  std::string_view text_;
  Splitter::Matches matches_;
  std::vector<std::string_view>& out_;
  bool holds_ = false;
  bool was_match_ = false;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace

struct Splitter::Compiled {
  Compiled(const std::string& pattern, std::string file_) : file(std::move(file_)) {
    int failure = 0;
    PCRE2_SIZE at = 0;
    // Texts were checked to be UTF-8 before, so PCRE2 does not check each of them again. UCP makes
    // \s and \w those of Unicode, as in Oniguruma.
    const std::uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_NO_UTF_CHECK;
    code = pcre2_compile(units(pattern), pattern.size(), options, &failure, &at, nullptr);
    if (!code) throw Error(fmt::format("knead does not read the pattern: {}", words_of(failure)));
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // without JIT matching is only slower
  }
  ~Compiled() { pcre2_code_free(code); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  /// Finds the next match from an offset on. Returns false if there is none.
  bool find(std::string_view text, std::size_t at, Scratch& scratch) const {
    int found = match_within(text, at, PCRE2_NO_UTF_CHECK, 1, scratch);
    if (found == PCRE2_ERROR_JIT_STACKLIMIT)  // the interpreter uses the heap
      found =
          match_within(text, at, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, kStepsOfInterpreter, scratch);
    if (found == PCRE2_ERROR_NOMATCH) return false;
    if (found < 0)
      throw Error(
          fmt::format("{}: a pattern fails at byte {} of a text: {}", file, at, words_of(found)));
    return true;
  }

  /// Matches with few steps, and with four times as many as long as these do not suffice. PCRE2
  /// does not tell how many it took, so those of each further attempt count as taken.
  int match_within(std::string_view text, std::size_t at, std::uint32_t options,
                   std::uint64_t work_of_step, Scratch& scratch) const {
    for (std::uint32_t steps = kFreeSteps;; steps *= 4) {
      pcre2_set_match_limit(scratch.context, steps);
      const int found =
          pcre2_match(code, units(text), text.size(), at, options, scratch.data, scratch.context);
      if (found != PCRE2_ERROR_MATCHLIMIT || steps >= kMostSteps) return found;
      if (!scratch.budget.try_work(4 * std::uint64_t{steps} * work_of_step)) return found;
    }
  }

  std::string file;
  pcre2_code* code = nullptr;
};

Splitter::Splitter(const std::string& pattern, Matches matches, bool is_inverted,
                   const std::string& file)
    : compiled_(std::make_unique<const Compiled>(pattern, file)),
      matches_(matches),
      is_inverted_(is_inverted) {}

Splitter::~Splitter() = default;
Splitter::Splitter(Splitter&&) noexcept = default;

void Splitter::split(std::string_view text, std::vector<std::string_view>& pieces,
                     files::Budget& budget) const {
  Pieces out(text, matches_, pieces);
  each_part(
      text,
      [&](std::size_t begin, std::size_t end, bool is_match) {
        out.take(begin, end, is_match != is_inverted_);
      },
      budget);
  out.finish();
}

void Splitter::each_part(std::string_view text, const Use& use, files::Budget& budget) const {
  Scratch scratch(compiled_->code, budget);
  std::size_t from = 0;  // everything before has been passed to `use`
  std::size_t at = 0;
  bool is_behind_match = false;
  while (!text.empty() && at <= text.size() && compiled_->find(text, at, scratch)) {
    const PCRE2_SIZE* place = pcre2_get_ovector_pointer(scratch.data);
    const std::size_t begin = place[0];
    const std::size_t end = place[1];
    if (begin == end && is_behind_match && begin == from) {
      at = behind_character(text, at);  // an empty match right behind a match does not count
      continue;
    }
    if (from < begin) use(from, begin, false);
    use(begin, end, true);
    is_behind_match = true;
    from = at = end;
  }
  if (from < text.size()) use(from, text.size(), false);
}

bool Splitter::is_found_in(std::string_view text, files::Budget& budget) const {
  Scratch scratch(compiled_->code, budget);
  return compiled_->find(text, 0, scratch);
}

}  // namespace knead::data
