#include "runner/track/time_table.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "schema/document/byte_words.h"

namespace knead::track {
namespace {

constexpr std::size_t kMostRows = 20;  // of operators; the others are summed up

using trace::Kind;
using trace::Nanoseconds;
using Span = trace::Timeline::Span;

double in_seconds(Nanoseconds time) { return static_cast<double>(time) * 1e-9; }

/// Holds rows by name, in the order in which the names first occur.
class Rows {
 public:
  TimeRow& operator[](const std::string& name) {
    const auto [found, is_new] = places_.emplace(name, rows_.size());
    if (is_new) rows_.push_back({name});
    return rows_[found->second];
  }
  std::vector<TimeRow> take() { return std::move(rows_); }

 private:
  std::vector<TimeRow> rows_;
  std::map<std::string, std::size_t> places_;
};

/// Adds the time of the host and the memory of a span to a row.
void add(TimeRow& row, const Span& span) {
  ++row.calls;
  row.whole += in_seconds(span.end - span.begin);
  row.own += in_seconds(span.end - span.begin - span.inside);
  row.allocated += span.allocated;
}

bool is_part(const Span& span) { return span.kind == Kind::part || span.kind == Kind::wait; }

/// Sums up the parts of a thread's steps by their names and the names of the parts around them.
class Parts {
 public:
  explicit Parts(const std::vector<Span>& spans) : rows_(1), row_of_(spans.size(), kRoot) {
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const Span& span = spans[i];
      const std::size_t up = span.parent == trace::Timeline::kNone ? kRoot : row_of_[span.parent];
      row_of_[i] = is_part(span) ? row(up, *span.name) : up;
      if (!is_part(span)) continue;
      TimeRow& sum = rows_[row_of_[i]].sum;
      add(sum, span);
      sum.device += in_seconds(span.device_whole);
    }
  }

  /// Returns the rows; each part is followed by the parts inside it, indented.
  std::vector<TimeRow> take() {
    std::vector<TimeRow> taken;
    take(kRoot, "", taken);
    return taken;
  }

 private:
  static constexpr std::size_t kRoot = 0;  // the step

  struct Row {
    TimeRow sum;
    std::vector<std::size_t> inner;
  };

  std::size_t row(std::size_t up, const std::string& name) {
    for (const std::size_t known : rows_[up].inner) {
      if (rows_[known].sum.name == name) return known;
    }
    rows_.push_back({{name}, {}});
    rows_[up].inner.push_back(rows_.size() - 1);
    return rows_.size() - 1;
  }

  void take(std::size_t up, const std::string& indent, std::vector<TimeRow>& taken) {
    for (const std::size_t inner : rows_[up].inner) {
      TimeRow& row = taken.emplace_back(rows_[inner].sum);
      row.name = indent + row.name;
      take(inner, indent + "  ", taken);
    }
  }

  std::vector<Row> rows_;
  std::vector<std::size_t> row_of_;  // by span
};

/// Returns the seconds that a thread worked, without waits.
double busy(const trace::Timeline& timeline) {
  double time = 0;
  for (const Span& span : timeline.spans()) {
    const double all = in_seconds(span.end - span.begin);
    // Outermost spans cover all work; waits inside them are taken off again.
    if (span.parent == trace::Timeline::kNone && span.kind != Kind::wait) time += all;
    if (span.parent != trace::Timeline::kNone && span.kind == Kind::wait) time -= all;
  }
  return time;
}

/// Returns the seconds in which at least one stream of a device worked, by device.
std::map<int, double> busy(std::vector<trace::DeviceWork> works) {
  std::sort(works.begin(), works.end(),
            [](const auto& a, const auto& b) { return a.begin < b.begin; });
  std::map<int, double> time;
  std::map<int, Nanoseconds> ends;
  for (const trace::DeviceWork& work : works) {
    const auto [end, is_first] = ends.emplace(work.device, work.begin);
    time[work.device] +=
        // Kernels of several streams overlap: only the time behind the latest end so far is added.
        in_seconds(std::max<Nanoseconds>(0, work.end - std::max(work.begin, end->second)));
    end->second = std::max(end->second, work.end);
  }
  return time;
}

/// Formats numbers per step, and shares of the time of all steps.
class Numbers {
 public:
  Numbers(std::uint64_t steps, double all) : steps_(static_cast<double>(steps)), all_(all) {}

  std::string time(double in_seconds) const {
    return fmt::format("{:.3f}", in_seconds * 1e3 / steps_);
  }
  std::string share(double in_seconds) const {
    return fmt::format("{:.1f} %", 100 * in_seconds / all_);
  }
  std::string calls(std::uint64_t calls) const {
    return fmt::format("{:.4g}", static_cast<double>(calls) / steps_);
  }
  std::string bytes(std::int64_t bytes) const {
    return bytes == 0 ? "" : schema::byte_words(static_cast<double>(bytes) / steps_);
  }

 private:
  double steps_, all_;
};

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::vector<TimeRow> operator_rows(const trace::Recorded& recorded) {
  Rows rows;
  for (const trace::Thread& thread : recorded.threads) {
    for (const Span& span : thread.timeline.spans()) {
      if (!trace::is_operator(span.kind)) continue;
      TimeRow& row = rows[*span.name];
      add(row, span);
      row.device += in_seconds(span.device);
    }
  }
  auto sorted = rows.take();
  std::stable_sort(sorted.begin(), sorted.end(), [&](const TimeRow& a, const TimeRow& b) {
    return std::pair(a.device, a.own) > std::pair(b.device, b.own);
  });
  return sorted;
}

std::vector<TimeRow> part_rows(const trace::Recorded& recorded) {
  if (recorded.threads.empty()) return {};
  return Parts(recorded.threads.front().timeline.spans()).take();
}

std::vector<TimeRow> other_rows(const trace::Recorded& recorded) {
  Rows rows;
  for (std::size_t i = 1; i < recorded.threads.size(); ++i)
    rows[recorded.threads[i].name].whole += busy(recorded.threads[i].timeline);
  for (const auto& [device, time] : busy(recorded.device))
    rows[fmt::format("GPU {}", device)].whole = time;
  return rows.take();
}

namespace {

/// Builds the table line by line.
class Table {
 public:
  Table(const trace::Recorded& recorded, bool with_memory, Numbers numbers, double all)
      : recorded_(recorded),
        with_memory_(with_memory),
        with_device_(!recorded.device.empty()),
        numbers_(numbers),
        all_(all) {}

  std::vector<std::string> lines() {
    add_parts();
    add_others();
    add_operators();
    return std::move(lines_);
  }

 private:
  using Columns = std::vector<std::string>;

  void add(const std::string& name, const Columns& columns) {
    std::string line = fmt::format("  {:<44}", name);
    for (const std::string& column : columns) line += fmt::format("{:>10}", column);
    lines_.push_back(trimmed(line));
  }

  /// Adds a line with the optional columns: GPU time and memory.
  void add_wide(const std::string& name, Columns columns, const std::string& device,
                const std::string& memory = "") {
    if (with_device_) columns.push_back(device);
    if (with_memory_) columns.push_back(memory);
    add(name, columns);
  }

  void add_parts() {
    add_wide("ms a step", {"calls", "ms", "share", ""}, "GPU ms");
    for (const TimeRow& part : part_rows(recorded_)) {
      add_wide(
          part.name,
          {numbers_.calls(part.calls), numbers_.time(part.whole), numbers_.share(part.whole), ""},
          numbers_.time(part.device));
    }
    add("all", {"", numbers_.time(all_), numbers_.share(all_)});
  }

  void add_others() {
    const auto rows = other_rows(recorded_);
    if (!rows.empty()) add("beside the loop", {"", "busy ms", "share"});
    for (const TimeRow& row : rows)
      add(row.name, {"", numbers_.time(row.whole), numbers_.share(row.whole)});
  }

  void add_operators() {
    add_wide("operator", {"calls", "own ms", "share", "all ms"}, "GPU ms", "takes");
    const auto rows = operator_rows(recorded_);
    const std::size_t named = std::min(kMostRows, rows.size());
    for (std::size_t i = 0; i < named; ++i) {
      const TimeRow& row = rows[i];
      add_wide(row.name,
               {numbers_.calls(row.calls), numbers_.time(row.own), numbers_.share(row.own),
                numbers_.time(row.whole)},
               numbers_.time(row.device), numbers_.bytes(row.allocated));
    }
    TimeRow others, every;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      every.own += rows[i].own;
      if (i < named) continue;
      others.own += rows[i].own;
      others.device += rows[i].device;
    }
    if (rows.size() > named) {
      add_wide(fmt::format("{} others", rows.size() - named),
               {"", numbers_.time(others.own), numbers_.share(others.own), ""},
               numbers_.time(others.device));
    }
    const double rest = all_ - every.own;
    add("outside of operators", {"", numbers_.time(rest), numbers_.share(rest)});
  }

  const trace::Recorded& recorded_;
  bool with_memory_;
  bool with_device_;
  Numbers numbers_;
  double all_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> time_table(const trace::Recorded& recorded, bool with_memory) {
  std::uint64_t steps = 0;
  double all = 0;
  if (recorded.threads.empty()) return {};
  for (const Span& span : recorded.threads.front().timeline.spans()) {
    if (span.kind != Kind::step) continue;
    ++steps;
    all += in_seconds(span.end - span.begin);
  }
  if (steps == 0) return {};
  return Table(recorded, with_memory, Numbers(steps, all), all).lines();
}

}  // namespace knead::track
