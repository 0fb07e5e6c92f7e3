#include "runner/report/generated_texts.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/report/html.h"
#include "runner/report/readable_text.h"
#include "runner/track/journal_lines.h"
#include "runner/track/short_text.h"
#include "runner/track/tracker.h"
#include "schema/document/json_text.h"

namespace knead::report {
namespace {

constexpr std::size_t kLongestTextLine = 1 << 20;
constexpr std::size_t kMostFirst = 20;  // texts
constexpr std::size_t kMostLast = 100;
constexpr std::size_t kLongestShown = 20'000;  // bytes; knead's own texts are mostly shorter

std::string shown_part(const std::string& text) {
  if (text.size() <= kLongestShown) return readable_text(text);
  return readable_text(text.substr(0, kLongestShown)) + "…";
}

/// Returns the texts of one evaluation as HTML.
std::string texts_html(const std::vector<track::GeneratedText>& texts, std::size_t begin,
                       std::size_t end) {
  std::string out;
  for (std::size_t i = begin; i < end; ++i) {
    const track::GeneratedText& each = texts[i];
    out += fmt::format(
        "<figure class=\"card written\"><pre><b>{}</b>{}</pre><figcaption class=\"note\">{} "
        "{}{}</figcaption></figure>",
        escaped(each.prompt), escaped(each.text), track::grouped(each.tokens),
        each.tokens == 1 ? "token" : "tokens", each.is_stopped ? ", ended by a stop" : "");
  }
  return out;
}

}  // namespace

GeneratedTextJournal::GeneratedTextJournal(ContainedFiles& files,
                                           const std::filesystem::path& run_folder)
    : lines_(files, run_folder / track::kGeneratedFile, kLongestTextLine) {}

bool GeneratedTextJournal::read_on() {
  const std::uint64_t before = taken_;
  const auto found =
      lines_.read_on([this](std::string_view line) { take(line); }, [this] { forget(); });
  return found == GrowingLines::Found::restarted || taken_ != before;
}

void GeneratedTextJournal::forget() {
  first_.clear();
  last_.clear();
  taken_ = omitted_ = unreadable_ = 0;
}

void GeneratedTextJournal::take(std::string_view line) {
  ++taken_;
  track::GeneratedText text;
  try {
    text = track::generated_from(nlohmann::ordered_json::parse(line));
  } catch (const nlohmann::json::exception&) {
    ++unreadable_;
    return;
  }
  text.prompt = shown_part(text.prompt);
  text.text = shown_part(text.text);
  if (first_.size() < kMostFirst) {
    first_.push_back(std::move(text));
    return;
  }
  last_.push_back(std::move(text));
  if (last_.size() <= kMostLast) return;
  last_.pop_front();
  ++omitted_;
}

std::vector<track::GeneratedText> GeneratedTextJournal::texts() const {
  std::vector<track::GeneratedText> all = first_;
  all.insert(all.end(), last_.begin(), last_.end());
  return all;
}

std::vector<std::string> GeneratedTextJournal::notes() const {
  std::vector<std::string> notes;
  if (unreadable_ > 0)
    notes.push_back(fmt::format("{}: {} lines are not a text", track::kGeneratedFile, unreadable_));
  if (lines_.too_long() > 0)
    notes.push_back(
        fmt::format("{}: {} lines are longer than 1 MB", track::kGeneratedFile, lines_.too_long()));
  return notes;
}

void add_generated_texts(const GeneratedTextJournal& journal, std::vector<Section>& sections) {
  const std::vector<track::GeneratedText> texts = journal.texts();
  if (texts.empty()) return;
  std::string body =
      "<p class=\"note\">Behind the prompts of evaluate.generate, in bold, with the weights of "
      "each "
      "evaluation.</p>";
  for (std::size_t end = texts.size(); end > 0;) {
    std::size_t begin = end - 1;
    while (begin > 0 && texts[begin - 1].step == texts[end - 1].step) --begin;
    const std::string step = fmt::format("Step {}", track::grouped(texts[end - 1].step));
    const bool is_last = end == texts.size();
    body += fmt::format(
        "<details{}><summary><h3>{}{}</h3></summary><div class=\"texts\">{}</div>"
        "</details>",
        is_last ? " open" : "", step, is_last ? ", the last" : "", texts_html(texts, begin, end));
    end = begin;
  }
  if (journal.omitted() > 0)
    body += fmt::format("<p class=\"note\">{} more texts are in {}.</p>",
                        track::grouped(journal.omitted()), track::kGeneratedFile);
  sections.push_back({"texts", "Generated text", body});
}

}  // namespace knead::report
