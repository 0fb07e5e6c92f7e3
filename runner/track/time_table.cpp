#include "runner/track/time_table.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "runner/track/short_text.h"

namespace knead::track {
namespace {

constexpr std::size_t kMostRows = 20;

double seconds(Timeline::Nanoseconds time) { return static_cast<double>(time) * 1e-9; }

/// The rows of some spans, in the order in which their names first occur.
template <class Wanted>
std::vector<TimeRow> rows_of(const Timeline& timeline, Wanted wanted) {
  std::vector<TimeRow> rows;
  std::map<const std::string*, std::size_t> places;
  for (const Timeline::Span& span : timeline.spans()) {
    if (!wanted(span.kind)) continue;
    const auto [found, is_new] = places.emplace(span.name, rows.size());
    if (is_new) rows.push_back({*span.name});
    TimeRow& row = rows[found->second];
    ++row.calls;
    row.whole += seconds(span.end - span.begin);
    row.own += seconds(span.end - span.begin - span.inside);
    row.allocated += span.allocated;
  }
  return rows;
}

/// How many milliseconds a step, and which share of all.
class Numbers {
 public:
  Numbers(std::uint64_t steps, double all) : steps_(static_cast<double>(steps)), all_(all) {}

  std::string time(double seconds) const { return fmt::format("{:.3f}", seconds * 1e3 / steps_); }
  std::string share(double seconds) const { return fmt::format("{:.1f} %", 100 * seconds / all_); }
  std::string calls(std::uint64_t calls) const {
    return fmt::format("{:.4g}", static_cast<double>(calls) / steps_);
  }
  std::string bytes(std::int64_t bytes) const {
    return bytes == 0 ? "" : short_bytes(static_cast<double>(bytes) / steps_);
  }

 private:
  double steps_, all_;
};

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::vector<TimeRow> operator_rows(const Timeline& timeline) {
  auto rows = rows_of(timeline, [](Timeline::Kind kind) {
    return kind == Timeline::Kind::operation || kind == Timeline::Kind::backward;
  });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const TimeRow& a, const TimeRow& b) { return a.own > b.own; });
  return rows;
}

std::vector<TimeRow> part_rows(const Timeline& timeline) {
  return rows_of(timeline, [](Timeline::Kind kind) { return kind == Timeline::Kind::part; });
}

std::vector<std::string> time_table(const Timeline& timeline, bool with_memory) {
  std::uint64_t steps = 0;
  double all = 0;
  for (const Timeline::Span& span : timeline.spans()) {
    if (span.kind != Timeline::Kind::step) continue;
    ++steps;
    all += seconds(span.end - span.begin);
  }
  if (steps == 0) return {};
  const Numbers numbers(steps, all);
  const auto row = [&](const std::string& name, const auto&... columns) {
    std::string line = fmt::format("  {:<44}", name);
    for (const std::string& column : {std::string(columns)...})
      line += fmt::format("{:>10}", column);
    return trimmed(line);
  };

  std::vector<std::string> lines{row("ms a step", "calls", "ms", "share")};
  for (const TimeRow& part : part_rows(timeline)) {
    lines.push_back(row(part.name, numbers.calls(part.calls), numbers.time(part.whole),
                        numbers.share(part.whole)));
  }
  lines.push_back(row("all", "", numbers.time(all), numbers.share(all)));

  lines.push_back(
      row("operator", "calls", "own ms", "share", "all ms", with_memory ? "takes" : ""));
  double rest = all;
  const auto rows = operator_rows(timeline);
  for (const TimeRow& each : rows) rest -= each.own;
  for (std::size_t i = 0; i < std::min(kMostRows, rows.size()); ++i)
    lines.push_back(row(rows[i].name, numbers.calls(rows[i].calls), numbers.time(rows[i].own),
                        numbers.share(rows[i].own), numbers.time(rows[i].whole),
                        with_memory ? numbers.bytes(rows[i].allocated) : ""));
  if (rows.size() > kMostRows) {
    double own = 0;
    for (std::size_t i = kMostRows; i < rows.size(); ++i) own += rows[i].own;
    lines.push_back(row(fmt::format("{} others", rows.size() - kMostRows), "", numbers.time(own),
                        numbers.share(own)));
  }
  lines.push_back(row("outside of operators", "", numbers.time(rest), numbers.share(rest)));
  return lines;
}

}  // namespace knead::track
