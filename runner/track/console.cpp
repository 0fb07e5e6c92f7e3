#include "runner/track/console.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/track/short_text.h"
#include "schema/document/json_text.h"
#include "schema/document/shown_text.h"
#include "schema/document/standard_streams.h"

namespace knead::track {
namespace {

constexpr std::size_t kShortestCurve = 8;  // columns
// Bounds the memory of a run of any length; thinned points still tell the speed of any window well.
constexpr std::size_t kMostPoints = 256;
constexpr std::size_t kMostTextLines = 12;
constexpr std::size_t kLongestPrompt = 60;  // characters
constexpr const char* kClear = "\r\033[K";
constexpr const char* kGreen = "\033[32m";
constexpr const char* kYellow = "\033[33m";
constexpr const char* kNoColour = "\033[0m";

/// Holds a part of the progress line. A narrow line omits the parts of the highest rank first.
struct Part {
  std::string text;
  int rank;
};

/// Returns the columns of a UTF-8 text: one per character.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string joined(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) text += (text.empty() ? "" : "  ") + part.text;
  return text;
}

std::string without_end_blanks(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// Removes parts of rank `least` and above, the highest first, until the line fits.
void fit(std::vector<Part>& parts, int least, std::size_t columns) {
  const auto rank = [](const Part& a, const Part& b) { return a.rank < b.rank; };
  while (width(joined(parts)) > columns) {
    const auto last = std::max_element(parts.begin(), parts.end(), rank);
    if (last->rank < least) return;
    parts.erase(last);
  }
}

/// Formats a number with one decimal, rounded down: 19.96 epochs are not yet 20.
std::string tenths(double value) {
  // The small addend absorbs rounding: an epoch computed as 2.2999999999 is shown as 2.3.
  return fmt::format("{:.1f}", std::floor(value * 10 + 1e-6) / 10);
}

/// Breaks a line of parts, which two blanks divide, into lines of at most so many columns. Further
/// lines are indented.
std::string folded(std::string_view text, std::size_t columns) {
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("  "), text.size());
    const std::size_t next = std::min(text.find_first_not_of(' ', end), text.size());
    const std::string part = without_end_blanks(std::string(text.substr(0, next)));
    const bool fits = used == 0 || used + 2 + width(part) <= columns;
    if (used > 0) out += fits ? "  " : "\n  ";
    used = (used == 0 ? 0 : fits ? used + 2 : 2) + width(part);
    out += part;
    text.remove_prefix(next);
  }
  return out;
}

/// Breaks a line of a generated text into lines of at most so many columns, each behind the mark.
std::string marked(std::string_view text, std::size_t columns) {
  std::string out;
  std::size_t used = 0;
  for (const char c : text) {
    const bool begins_character = (c & 0xC0) != 0x80;
    if (begins_character && used >= std::max(columns, kTextMark.size() + 1)) {
      out += "\n" + std::string(kTextMark);
      used = kTextMark.size();
    }
    used += begins_character ? 1 : 0;
    out += c;
  }
  return out;
}

std::string without_zero(std::string text) {
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

}  // namespace

Console::Console(Terminal terminal, Length length)
    : terminal_(std::move(terminal)),
      length_(length),
      started_(terminal_.now()),
      last_line_(started_) {
  points_.push_back(
      {started_, length_.steps ? static_cast<double>(length_.first_step) : length_.first_second});
}

Console::~Console() {
  if (drawn_ > 0) terminal_.write(clearing());
}

void Console::report(const Report& report) {
  const double now = terminal_.now();
  const bool is_first = !last_;
  last_ = report;
  losses_.add(report.loss);
  remember(now);
  if (terminal_.is_live) {
    // Nobody sees more than ten lines a second, and each line is a system call of this thread.
    if (is_first || now - last_line_ >= 0.1) draw(now);
  } else {
    is_written_ = is_first || plain_line_is_due(now);
    if (!is_written_) return;
    line(progress(time_left(now), columns()));
    last_line_ = now;
  }
}

void Console::evaluated(const plan::Evaluation& evaluation, bool is_best) {
  std::vector<Part> parts{{step_in_words(evaluation.step), 0},
                          {fmt::format("{:<10}", evaluation.set), 0}};
  for (const auto& [name, value] : evaluation.values)
    parts.push_back({fmt::format("{} {:<9}", name, short_number(value)), 0});
  if (is_best) parts.push_back({"best so far", 0});
  line(without_end_blanks(joined(parts)), "best so far", kGreen);
}

void Console::generated(const GeneratedText& text) {
  const std::string prompt = schema::shown_text(schema::readable_json_text(text.prompt));
  const bool is_long = width(prompt) > kLongestPrompt;
  line(fmt::format("{}  text behind {:.{}}{}", step_in_words(text.step), prompt, kLongestPrompt,
                   is_long ? "…" : ""));
  std::size_t lines = 0;
  for (std::size_t at = 0; at <= text.text.size(); ++lines) {
    const std::size_t end = std::min(text.text.find('\n', at), text.text.size());
    if (lines < kMostTextLines)
      line(without_end_blanks(
          fmt::format("{}{}", kTextMark, schema::shown_text(text.text.substr(at, end - at)))));
    at = end + 1;
  }
  if (lines > kMostTextLines)
    line(fmt::format("{}({} more lines in generated.jsonl)", kTextMark, lines - kMostTextLines));
}

void Console::note(std::string_view text) { line(std::string(text)); }

void Console::warn(std::string_view text) {
  line(fmt::format("warning: {}", text), "warning:", kYellow);
}

void Console::finish() {
  if (!last_) return;
  const std::string took = "took " + short_duration(last_->time);
  const std::string text = is_written_ ? took : progress(took, columns());
  last_.reset();  // so that line() does not redraw the progress line
  line(text);
}

void Console::draw(double now) {
  const std::string text = progress(time_left(now), columns());
  terminal_.write(clearing() + text);
  drawn_ = width(text);
  last_line_ = now;
}

std::string Console::clearing() const {
  return terminal_.can_erase ? kClear : "\r" + std::string(drawn_, ' ') + "\r";
}

/// Returns the usable columns. The last one stays free, because some terminals wrap there.
std::size_t Console::columns() const {
  if (!terminal_.is_live) return std::string::npos;
  return static_cast<std::size_t>(std::max(terminal_.columns() - 1, 1));
}

void Console::line(const std::string& said, std::string_view word, const char* colour) {
  // Descriptions, names of sets and errors are text of unknown origin.
  const std::string text = schema::shortened(schema::shown_lines(said), kMostToldBytes);
  if (terminal_.log) terminal_.log(text);
  std::string shown = text;
  if (width(text) > columns()) {
    if (!word.empty()) shown = folded(text, columns());
    if (text.starts_with(kTextMark)) shown = marked(text, columns());
  }
  const std::size_t at = word.empty() ? std::string::npos : shown.find(word);
  if (terminal_.is_live && at != std::string::npos)
    // The colour is added after the log has its copy, so that log.txt holds no escape codes.
    shown.replace(at, word.size(), fmt::format("{}{}{}", colour, word, kNoColour));
  terminal_.write((drawn_ > 0 ? clearing() : "") + shown + "\n");
  if (drawn_ == 0) return;
  drawn_ = 0;
  if (last_) draw(terminal_.now());
}

bool Console::plain_line_is_due(double now) const {
  return now - last_line_ >= std::clamp((now - started_) / 30, 2.0, 60.0);
}

double Console::done() const {
  return length_.steps ? static_cast<double>(last_->step) : last_->time;
}

/// Returns the length of the run in steps or seconds; 0 if it is not known.
double Console::all() const {
  if (length_.steps) return static_cast<double>(*length_.steps);
  return length_.seconds ? *length_.seconds : 0.0;
}

void Console::remember(double now) {
  points_.push_back({now, done()});
  if (points_.size() < kMostPoints) return;
  // Keeps every second point; the first one, at which this start began, always stays.
  for (std::size_t i = 1; i < kMostPoints / 2; ++i) points_[i] = points_[2 * i];
  points_.resize(kMostPoints / 2);
}

std::string Console::step_in_words(std::uint64_t step) const {
  if (!length_.steps) return fmt::format("step {:>7}", step);
  const std::string total = fmt::format("{}", *length_.steps);
  return fmt::format("step {:>{}}/{}", step, total.size(), total);
}

std::string Console::percent() const {
  return fmt::format("{:>3.0f}%", std::floor(std::min(done() / all(), 1.0) * 100));
}

std::string Console::epoch() const {
  if (!length_.epochs) return fmt::format("epoch {:>5}", tenths(last_->epoch));
  const std::string total = tenths(*length_.epochs);
  return fmt::format("epoch {:>{}}/{}", tenths(last_->epoch), total.size(), without_zero(total));
}

std::string Console::rate() const {
  const double samples = last_->samples_per_second;
  if (length_.tokens_per_sample > 0)
    return fmt::format("{:>5} tokens/s", short_count(samples * length_.tokens_per_sample));
  return fmt::format("{:>5} samples/s", short_count(samples));
}

std::string Console::time_left(double now) const {
  if (all() <= 0 || done() >= all() || now - started_ < 1) return "";
  // The speed is measured from the last point before the window of time to the newest point.
  const double since = now - std::max(30.0, (now - started_) / 2);
  std::size_t from = 0;
  while (from + 2 < points_.size() && points_[from + 1].time <= since) ++from;
  const double speed = (done() - points_[from].done) / (now - points_[from].time);
  if (!(speed > 0)) return "";
  return short_duration((all() - done()) / speed) + " left";
}

/// Returns the progress line for a width. `time` is its text on the time that is left or was taken.
std::string Console::progress(const std::string& time, std::size_t columns) const {
  std::vector<Part> parts{{step_in_words(last_->step), 0}};
  if (all() > 0) parts.push_back({percent(), 1});
  const bool is_part_of_one = length_.epochs && *length_.epochs < 1;
  if (!is_part_of_one) parts.push_back({epoch(), 5});
  parts.push_back({fmt::format("loss {:<9}", short_number(last_->loss)), 2});
  parts.push_back({fmt::format("lr {:<8}", fmt::format("{:.3g}", last_->lr)), 6});
  parts.push_back({rate(), 4});
  if (last_->mfu > 0) parts.push_back({fmt::format("mfu {:.3g}%", last_->mfu * 100), 6});
  parts.push_back({fmt::format("{:<11}", time), 3});
  if (last_->skipped > 0) parts.push_back({fmt::format("{} skipped", last_->skipped), 7});
  if (last_->data_wait >= 0.1)
    parts.push_back({fmt::format("waits for data {:.0f}%", last_->data_wait * 100), 8});
  // Parts of rank 5 and above give way to the curve of the loss, the others only to the width.
  const std::size_t curve = terminal_.is_live ? kShortestCurve + 2 : 0;
  if (columns > curve) fit(parts, 5, columns - curve);
  fit(parts, 1, columns);
  std::string text = joined(parts);
  if (terminal_.is_live && width(text) + curve <= columns)
    text += "  " + losses_.text(std::min(columns - width(text) - 2, Sparkline::kMost));
  return without_end_blanks(width(text) > columns ? text.substr(0, columns) : text);
}

}  // namespace knead::track
