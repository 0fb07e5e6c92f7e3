#include "runner/board/terminal/run_table.h"

#include <algorithm>

#include "runner/board/runs/run_words.h"

namespace knead::board {
namespace {

/// The fewest columns for a name; the table lacks other columns before.
constexpr std::size_t kLeastName = 14;

std::string state_in_words(const Glance& run) { return std::string(to_string(run.state())); }

/// A column of the table. Those of the highest rank are left out first.
struct Column {
  std::string_view title;
  int rank;
  bool is_right;
  std::string (*words)(const Glance&);
  std::size_t width = 0;
  bool has_unit_in_title = false;  // cells then lack it

  std::string cell(const Glance& run) const {
    const std::string text = words(run);
    return has_unit_in_title ? text.substr(0, text.find(' ')) : text;
  }
};

/// Returns the unit of the rates of all runs that have one; empty if they differ.
std::string_view unit_of_rates(const std::vector<const Glance*>& runs) {
  std::string_view unit;
  for (const Glance* run : runs) {
    const std::string rate = rate_in_words(*run);
    if (rate == "-") continue;
    const std::string_view own = rate.ends_with("tokens/s") ? "tokens/s" : "samples/s";
    if (!unit.empty() && unit != own) return "";
    unit = own;
  }
  return unit;
}

std::vector<Column> fitting(const std::vector<const Glance*>& runs, std::size_t columns) {
  std::vector<Column> all{{"state", 0, false, state_in_words}, {"step", 1, true, done_in_words},
                          {"loss", 3, true, loss_in_words},    {"best", 4, false, best_in_words},
                          {"rate", 5, true, rate_in_words},    {"time", 2, true, time_in_words}};
  if (const std::string_view unit = unit_of_rates(runs); !unit.empty()) {
    all[4].title = unit;
    all[4].has_unit_in_title = true;
  }
  std::size_t sum = kLeastName;
  for (Column& column : all) {
    column.width = column.title.size();
    for (const Glance* run : runs)
      column.width = std::max(column.width, columns_of(column.cell(*run)));
    sum += column.width + 2;
  }
  while (sum > columns && all.size() > 1) {
    const auto last = std::max_element(
        all.begin(), all.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
    sum -= last->width + 2;
    all.erase(last);
  }
  return all;
}

/// Returns the first of `count` lines such that the chosen one is among them.
std::size_t first_shown(std::size_t chosen, std::size_t all, std::size_t count) {
  if (all <= count) return 0;
  const std::size_t half = count / 2;
  return std::min(chosen > half ? chosen - half : 0, all - count);
}

}  // namespace

Style style_of(run::RunState state) {
  switch (state) {
    case run::RunState::running: return Style::green;
    case run::RunState::finished: return Style::blue;
    case run::RunState::failed:
    case run::RunState::unreadable: return Style::red;
    case run::RunState::stopped: return Style::yellow;
    case run::RunState::empty: return Style::dim;
  }
  return Style::plain;
}

std::vector<Line> run_table(const WatchedFolder& folder, const std::filesystem::path& chosen,
                            std::size_t columns, std::size_t rows, bool has_colour) {
  const auto& all = folder.runs();
  const auto is_chosen = [&](const auto& run) { return run->folder() == chosen; };
  const auto at =
      static_cast<std::size_t>(std::find_if(all.begin(), all.end(), is_chosen) - all.begin());
  const std::size_t count = std::min(all.size(), rows > 1 ? rows - 1 : 0);
  const std::size_t first = first_shown(std::min(at, all.size() - 1), all.size(), count);
  std::vector<const Glance*> shown;
  for (std::size_t i = first; i < first + count; ++i) shown.push_back(all[i].get());

  const std::vector<Column> fields = fitting(shown, columns - 2);
  std::size_t others = 2;  // of the mark of the chosen run
  for (const Column& field : fields) others += field.width + 2;
  std::size_t name = kLeastName;
  for (const Glance* run : shown) name = std::max(name, columns_of(folder.label(*run)));
  name = std::min(name, columns > others ? columns - others : 1);

  std::vector<Line> lines{Line(columns, has_colour)};
  lines[0].add("  ").cell("run", name, false, Style::dim);
  for (const Column& field : fields)
    lines[0].add("  ").cell(field.title, field.width, field.is_right, Style::dim);
  for (const Glance* run : shown) {
    Line line(columns, has_colour);
    const bool is_this = run->folder() == chosen;
    line.add(is_this ? "> " : "  ", Style::bold);
    line.cell(folder.label(*run), name, false, is_this ? Style::bold : Style::plain);
    for (const Column& field : fields) {
      const bool is_state = field.words == state_in_words;
      line.add("  ").cell(field.cell(*run), field.width, field.is_right,
                          is_state ? style_of(run->state()) : Style::plain);
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace knead::board
