#include "runner/track/time_table.h"

#include <catch2/catch.hpp>

using namespace knead;
using trace::Kind;
using trace::Nanoseconds;
using trace::Recorded;
using trace::Timeline;

namespace {

constexpr Nanoseconds kMillisecond = 1'000'000;

Recorded of(Timeline timeline) {
  Recorded recorded;
  recorded.threads.push_back({"training", 70, std::move(timeline), 0});
  return recorded;
}

}  // namespace

TEST_CASE("a part within a part is indented behind it, and a number makes no row of its own") {
  Timeline timeline;
  for (Nanoseconds begin = 0; begin < 2 * kMillisecond; begin += kMillisecond) {
    const auto step = timeline.begin(Kind::step, "step", begin, "", 7);
    const auto data = timeline.begin(Kind::part, "data", begin);
    const auto batch = timeline.begin(Kind::part, "batch", begin, "", begin == 0 ? 7 : 8);
    timeline.end(batch, begin + 1000);
    timeline.end(data, begin + 2000);
    const auto forward = timeline.begin(Kind::part, "forward", begin + 2000);
    timeline.end(forward, begin + 3000);
    const auto late = timeline.begin(Kind::part, "data", begin + 3000);
    timeline.begin(Kind::wait, "waits for readers", begin + 3000);
    timeline.end(late, begin + 4000);
    timeline.end(step, begin + kMillisecond);
  }
  CHECK(timeline.spans()[2].label() == "batch 7");
  const auto rows = track::part_rows(of(std::move(timeline)));
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(row.name);
  CHECK(names == std::vector<std::string>{"data", "  batch", "  waits for readers", "forward"});
  CHECK(rows[1].calls == 2);
}

TEST_CASE("a table of many operators names the slowest") {
  Timeline timeline;
  const auto step = timeline.begin(Kind::step, "step 1", 0);
  for (int i = 0; i < 25; ++i) {
    const auto span = timeline.begin(Kind::operation, "aten::op" + std::to_string(i), i * 1000);
    timeline.end(span, i * 1000 + 10 * i);
  }
  timeline.end(step, 100'000);
  const auto lines = track::time_table(of(std::move(timeline)), false);
  CHECK(lines.size() == 25);
  CHECK(lines[3].starts_with("  aten::op24 "));
  CHECK(lines[23].starts_with("  5 others "));
  CHECK(track::time_table(Recorded(), false).empty());
}
