#include "runner/board/terminal/page.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "runner/board/runs/run_words.h"
#include "runner/board/terminal/chart.h"
#include "runner/board/terminal/run_table.h"
#include "runner/track/short_text.h"
#include "schema/document/count_words.h"
#include "schema/document/shown_text.h"

namespace knead::board {
namespace {

constexpr std::size_t kLeastColumns = 20;  // of a chart
constexpr std::size_t kLeastChart = 7;     // rows
constexpr std::size_t kComfortable = 12;   // rows of a chart, before there is a second one
constexpr std::size_t kTwoAcross = 120;    // columns from which two charts stand side by side
constexpr std::array kCurveStyles{Style::cyan, Style::yellow, Style::magenta, Style::green,
                                  Style::blue};

const Glance* chosen_run(const WatchedFolder& folder, const View& view) {
  for (const auto& run : folder.runs()) {
    if (run->folder() == view.chosen) return run.get();
  }
  return nullptr;
}

/// Builds the lines of a screen from top to bottom.
class Page {
 public:
  Page(const WatchedFolder& folder, const RunMetrics* curves, const View& view,
       const ScreenSize& size)
      : folder_(folder), curves_(curves), view_(view), size_(size) {}

  std::vector<Line> lines() {
    if (view_.shows_help) {
      add_help();
    } else {
      add_title();
      if (!folder_.is_one_run()) add_table();
      if (const Glance* run = chosen_run(folder_, view_)) {
        if (folder_.is_one_run()) add_state(*run);
        add_evaluations(*run);
      }
      add_charts();
    }
    lines_.resize(size_.rows - 1, line());
    lines_.push_back(keys());
    return std::move(lines_);
  }

 private:
  Line line() const { return {size_.columns, size_.has_colour}; }
  std::size_t rows_left() const {
    return size_.rows - 1 > lines_.size() ? size_.rows - 1 - lines_.size() : 0;
  }

  void add_title() {
    const auto& runs = folder_.runs();
    Line& title = lines_.emplace_back(line());
    if (folder_.is_one_run()) {
      title.add(folder_.label(*runs[0]), Style::bold);
      title.add("  ").add(schema::shown_text(runs[0]->holder()), Style::dim);
      return;
    }
    const auto running = std::count_if(runs.begin(), runs.end(), [](const auto& run) {
      return run->state() == run::RunState::running;
    });
    title.add(schema::shown_text(folder_.folder().string()), Style::bold);
    title.add("  " + schema::count_words(static_cast<std::int64_t>(runs.size()), "run"));
    if (running > 0) title.add(fmt::format(", {} running", running), Style::green);
    for (const std::string& sweep : folder_.sweeps())
      title.add(
          fmt::format("  sweep: knead watch {}/{}", schema::shown_text(folder_.folder().string()),
                      schema::shown_text(sweep)),
          Style::dim);
  }

  void add_table() {
    const std::size_t most = std::max<std::size_t>(size_.rows / 3, 3);
    for (Line& row : run_table(folder_, view_.chosen, size_.columns, most, size_.has_colour))
      lines_.push_back(std::move(row));
    if (folder_.runs().empty()) lines_.push_back(line().add("  no runs yet", Style::dim));
  }

  void add_state(const Glance& run) {
    // Words that do not fit into a line begin the next one.
    const auto add = [&](const std::string& words, Style style) {
      if (words == "-") return;
      Line& last = lines_.back();
      const bool fits = lines_.size() > 1 && last.columns() + 2 + columns_of(words) <= last.width();
      Line& to = fits ? last.add("  ") : lines_.emplace_back(line());
      to.add(words, style);
    };
    add(std::string(to_string(run.state())), style_of(run.state()));
    add("step " + done_in_words(run), Style::plain);
    add(rate_in_words(run), Style::plain);
    add(time_in_words(run), Style::plain);
    if (run.best()) add("best " + best_in_words(run), Style::plain);
  }

  void add_evaluations(const Glance& run) {
    if (size_.rows < 20) return;
    for (const plan::Evaluation& evaluation : run.last_evaluations()) {
      if (rows_left() < kLeastChart + 2) break;
      lines_.push_back(
          line().add(schema::shown_text(fmt::format("{} at {}", evaluation.set, evaluation.step)),
                     Style::dim));
      for (const auto& [name, value] : evaluation.values) {
        // A value that does not fit into the line begins the next one.
        const std::string words =
            schema::shown_text(fmt::format("  {} {}", name, track::short_number(value)));
        if (lines_.back().columns() + columns_of(words) > size_.columns) {
          if (rows_left() < kLeastChart + 2) break;
          lines_.push_back(line());
        }
        lines_.back().add(words);
      }
    }
  }

  void add_charts() {
    if (!curves_ || size_.columns < kLeastColumns) return;
    const std::vector<Metric> metrics = curves_->metrics();
    const std::size_t room = rows_left();
    if (metrics.empty() || room < 4) {
      if (room > 0) lines_.push_back(line().add("  no values yet", Style::dim));
      return;
    }
    const std::size_t across = size_.columns >= kTwoAcross && metrics.size() > 1 ? 2 : 1;
    const std::size_t most_down = (metrics.size() + across - 1) / across;
    const std::size_t down = std::clamp<std::size_t>(room / kComfortable, 1, most_down);
    for (std::size_t row = 0; row < down; ++row) {
      const std::size_t height = room * (row + 1) / down - room * row / down;
      add_row_of_charts(metrics, row * across, across, height);
    }
  }

  void add_row_of_charts(const std::vector<Metric>& metrics, std::size_t first, std::size_t across,
                         std::size_t height) {
    constexpr std::size_t kGap = 2;
    const std::size_t width = (size_.columns - kGap * (across - 1)) / across;
    std::vector<Line> rows(height, line());
    for (std::size_t i = 0; i < across && first + i < metrics.size(); ++i) {
      const Metric& metric = metrics[(view_.first_metric + first + i) % metrics.size()];
      const std::vector<Line> drawn = chart_of(metric, width, height);
      for (std::size_t row = 0; row < height; ++row)
        rows[row].to(i * (width + kGap)).add_line(drawn[row]);
    }
    for (Line& row : rows) lines_.push_back(std::move(row));
  }

  std::vector<Line> chart_of(const Metric& metric, std::size_t width, std::size_t height) const {
    std::vector<Curve> curves;
    for (const Source& source : metric.sources) {
      const bool is_training = source.name == kTraining;
      // A metric that only training reports needs no name of its set.
      const bool is_named = metric.sources.size() > 1 || !is_training || metric.name == "loss";
      curves.push_back({.name = is_named ? schema::shown_text(source.name) + " " : "",
                        .series = source.series,
                        .last = source.last,
                        .style = kCurveStyles[curves.size() % kCurveStyles.size()],
                        .is_marked = !is_training});
    }
    return chart(curves,
                 {.title = schema::shown_text(metric.name),
                  .is_log = view_.is_log,
                  .smoothing = view_.smoothing,
                  .is_ascii = size_.is_ascii,
                  .has_colour = size_.has_colour},
                 width, height);
  }

  void add_help() {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kKeys{{
        {"up down  k j", "the run whose curves are drawn"},
        {"home end  g G", "the first run, the last one"},
        {"m M", "the next metric first, the one before"},
        {"l", "logarithmic values, or not"},
        {"s", "smoothing: none, 0.6, 0.9, 0.99"},
        {"^L", "draws anew"},
        {"^Z", "back to the shell; fg comes back"},
        {"?", "this help, or back"},
        {"q ^C", "ends"},
    }};
    lines_.push_back(line().add("knead watch", Style::bold));
    lines_.push_back(line());
    for (const auto& [key, words] : kKeys)
      lines_.push_back(line().add("  ").cell(key, 15, false, Style::bold).add(words));
    lines_.push_back(line());
    lines_.push_back(line().add("  A column of dots shows the least and the largest value there."));
    if (lines_.size() > size_.rows - 1) lines_.resize(size_.rows - 1, line());
  }

  Line keys() const {
    Line keys = line();
    std::vector<std::pair<std::string_view, std::string_view>> all{
        {"q", "quit"}, {"?", "help"}, {"m", "metric"}, {"l", "log"}, {"s", "smooth"}};
    if (!folder_.is_one_run()) all.insert(all.begin() + 1, {"jk", "run"});
    for (const auto& [key, words] : all) {
      keys.add(key, Style::bold).add(fmt::format(" {}  ", words), Style::dim);
    }
    if (view_.is_log) keys.add("log  ");
    if (view_.smoothing > 0) keys.add(fmt::format("smoothing {:g}  ", view_.smoothing));
    return keys;
  }

  const WatchedFolder& folder_;
  const RunMetrics* curves_;
  const View& view_;
  const ScreenSize& size_;
  std::vector<Line> lines_;
};

}  // namespace

std::vector<Line> page(const WatchedFolder& folder, const RunMetrics* curves, const View& view,
                       const ScreenSize& size) {
  return Page(folder, curves, view, size).lines();
}

}  // namespace knead::board
