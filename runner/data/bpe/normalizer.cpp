#include "runner/data/bpe/normalizer.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/data/bpe/byte_letters.h"
#include "runner/data/bpe/character_class.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

/// The text may grow by this factor, which no tokenizer in use reaches.
constexpr std::size_t kMostGrowth = 64;
constexpr std::size_t kFreeGrowth = 1 << 16;  // bytes by which a short text may grow besides

/// Bounds what a step may make of a text, and the work of all steps.
struct Bounds {
  std::size_t most;  // bytes of the text behind the step
  files::Budget& budget;
};

void expect_bounded(std::size_t size, std::size_t most) {
  if (size <= most) return;
  throw Error(fmt::format("the normalizer makes more than {} bytes of a part of a text", most),
              "the file of the tokenizer is damaged");
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Returns whether BertNormalizer of the library puts spaces around a character.
bool is_ideograph(char32_t character) {
  constexpr struct {
    char32_t first;
    char32_t last;
  } kRanges[] = {{0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
                 {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
  return std::ranges::any_of(kRanges, [&](const auto& range) {
    return character >= range.first && character <= range.last;
  });
}

std::string with_spaced_ideographs(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const bool is_spaced = is_ideograph(next_character(text, at));
    if (is_spaced) out += ' ';
    out += text.substr(begin, at - begin);
    if (is_spaced) out += ' ';
  }
  return out;
}

/// Applies a step that treats each character by itself. The head of the result is what the step
/// makes of the head alone.
template <class Make>
void each_alone(NormalText& text, Make make) {
  text.head = std::string(make(std::string_view(text.text).substr(0, text.head))).size();
  text.text = make(text.text);
}

void apply(NormalForm form, NormalText& text, const Bounds& /*bounds*/) {
  each_alone(text, [&](std::string_view part) { return normal_form_of(part, form); });
  // Marks behind the head may be sorted or composed into it, so the head is extended to the end of
  // a character.
  text.head = std::min(text.head, text.text.size());
  while (text.head < text.text.size() && is_continuation(text.text[text.head])) ++text.head;
}

void apply(const Replace& replace, NormalText& text, const Bounds& bounds) {
  const std::string_view from = text.text;
  NormalText out{"", 0};
  bool is_in_head = true;
  const auto take = [&](std::size_t begin, std::size_t end, bool is_match) {
    if (is_match) {
      out.text += replace.content;
      is_in_head = is_in_head && end <= text.head;
      if (is_in_head) out.head = out.text.size();
    } else {
      out.text += from.substr(begin, end - begin);
      if (is_in_head && begin < text.head)
        out.head = out.text.size() - (std::max(end, text.head) - text.head);
    }
    expect_bounded(out.text.size(), bounds.most);
  };
  replace.pattern.each_part(from, take, bounds.budget);
  text = std::move(out);
}

void apply(const Prepend& prepend, NormalText& text, const Bounds& /*bounds*/) {
  if (text.text.empty()) return;
  if (text.head > 0) text.head += prepend.text.size();
  text.text.insert(0, prepend.text);
}

void apply(Strip strip, NormalText& text, const Bounds& /*bounds*/) {
  std::string& whole = text.text;
  for (std::size_t end = whole.size(), at; strip.right && end > 0; end = whole.size()) {
    std::size_t behind = at = begin_of_last(whole, end);
    if (!is_white_space(next_character(whole, behind))) break;
    whole.resize(at);
  }
  std::size_t begin = 0;
  for (std::size_t at = 0; strip.left && at < whole.size(); begin = at) {
    if (!is_white_space(next_character(whole, at))) break;
  }
  whole.erase(0, begin);
  text.head = std::min(std::max(text.head, begin) - begin, whole.size());
}

void apply(LowerCased /*step*/, NormalText& text, const Bounds& /*bounds*/) {
  each_alone(text, [](std::string_view part) { return lower_case_of(part); });
}

void apply(SpaceIdeographs /*step*/, NormalText& text, const Bounds& /*bounds*/) {
  each_alone(text, with_spaced_ideographs);
}

void apply(SpellBytes /*step*/, NormalText& text, const Bounds& /*bounds*/) {
  each_alone(text, letters_of_bytes);
}

}  // namespace

NormalText normalized(const std::vector<NormalizerStep>& steps, NormalText text,
                      files::Budget& budget) {
  const Bounds bounds{kFreeGrowth + kMostGrowth * text.text.size(), budget};
  for (const NormalizerStep& step : steps) {
    budget.work(text.text.size());
    std::visit([&](const auto& each) { apply(each, text, bounds); }, step);
    expect_bounded(text.text.size(), bounds.most);
  }
  return text;
}

}  // namespace knead::data
