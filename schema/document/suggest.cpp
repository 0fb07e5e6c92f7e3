#include "schema/document/suggest.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace knead::schema {
namespace {

/// Longer words get no suggestion: they are not slips of a key, and edit_distance() takes quadratic
/// time.
constexpr std::size_t kLongest = 64;

}  // namespace

namespace {

bool is_separator(char c) { return c == '_' || c == '-' || c == ' '; }
char in_lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string folded(std::string_view word) {
  std::string out;
  out.reserve(word.size());
  for (const char c : word)
    if (!is_separator(c)) out += in_lower_case(c);
  return out;
}

bool same_but_style(std::string_view a, std::string_view b) {
  const auto skip = [](std::string_view& word) {
    while (!word.empty() && is_separator(word.front())) word.remove_prefix(1);
  };
  for (;;) {
    skip(a);
    skip(b);
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if (in_lower_case(a.front()) != in_lower_case(b.front())) return false;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

namespace {

/// Takes from two words what both begin and end with, which needs no edit.
void leave_difference(std::string_view& a, std::string_view& b) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
}

}  // namespace

bool one_edit_apart(std::string_view a, std::string_view b) {
  leave_difference(a, b);
  const bool is_swap = a.size() == 2 && b.size() == 2 && a[0] == b[1] && a[1] == b[0];
  return is_swap || (a.size() <= 1 && b.size() <= 1);
}

int edit_distance(std::string_view a, std::string_view b) {
  leave_difference(a, b);
  const std::size_t width = b.size() + 1;
  std::vector<int> before_last(width), last(width), row(width);
  for (std::size_t j = 0; j < width; ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const int replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min(replace, std::min(last[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

namespace {

/// Returns the candidate that begins with the word ('acc' for accuracy) if there is exactly one,
/// otherwise the longest candidate that the word begins with ('adamw_torch' for adamw).
std::string_view by_beginning(const std::string& word,
                              std::span<const std::string_view> candidates) {
  constexpr std::size_t kShortest = 3;
  std::string_view longer, shorter;
  for (const std::string_view candidate : candidates) {
    const std::string other = folded(candidate);
    if (std::min(word.size(), other.size()) < kShortest) continue;
    if (word.starts_with(other) && other.size() > folded(shorter).size()) shorter = candidate;
    if (!other.starts_with(word)) continue;
    if (!longer.empty()) return {};
    longer = candidate;
  }
  return longer.empty() ? shorter : longer;
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kLongest) return {};
  const std::string folded_word = folded(word);
  std::string_view best;
  int best_distance = 0;
  for (const std::string_view candidate : candidates) {
    const std::string folded_candidate = folded(candidate);
    const std::size_t longer = std::max(folded_word.size(), folded_candidate.size());
    const std::size_t shorter = std::min(folded_word.size(), folded_candidate.size());
    const int most = std::max(1, static_cast<int>(longer + 1) / 3);
    if (static_cast<int>(longer - shorter) > most) continue;  // needs at least as many edits
    const int distance = edit_distance(folded_word, folded_candidate);
    // A word of one letter is one edit away from every other one: such a match means nothing.
    if (distance > most || distance >= static_cast<int>(folded_candidate.size())) continue;
    // Folded words decide first, because case and separators are a matter of style; the words as
    // written decide between equals.
    const bool is_nearer =
        best.empty() || distance < best_distance ||
        (distance == best_distance && edit_distance(word, candidate) < edit_distance(word, best));
    if (is_nearer) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best.empty() ? by_beginning(folded_word, candidates) : best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates,
                         std::string otherwise) {
  const std::string_view near = nearest(word, candidates);
  return near.empty() ? otherwise : fmt::format("did you mean '{}'?", near);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates,
                         std::string otherwise) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  return did_you_mean(word, views, std::move(otherwise));
}

}  // namespace knead::schema
