#include "runner/track/timeline.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runner/track/time_table.h"

using namespace knead;
using nlohmann::json;
using track::Timeline;
using Kind = track::Timeline::Kind;

namespace {

constexpr Timeline::Nanoseconds kMillisecond = 1'000'000;

std::string text_of(const files::Content& content) {
  std::string text;
  content([&](std::span<const std::byte> bytes) {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  return text;
}

/// Two steps of 10 ms: 2 for data, 6 forward, of which a product takes 5 and 3 of these a sum.
Timeline two_steps() {
  Timeline timeline;
  timeline.start_memory(1000, 0);
  for (Timeline::Nanoseconds begin : {Timeline::Nanoseconds(0), 10 * kMillisecond}) {
    const auto step = timeline.begin(Kind::step, begin == 0 ? "step 1" : "step 2", begin);
    const auto data = timeline.begin(Kind::part, "data", begin);
    timeline.end(data, begin + 2 * kMillisecond);
    const auto forward = timeline.begin(Kind::part, "forward", begin + 2 * kMillisecond);
    const auto product =
        timeline.begin(Kind::operation, "aten::mm", begin + 2 * kMillisecond, "[[2,3],[3,4],[]]");
    const auto sum = timeline.begin(Kind::operation, "aten::sum", begin + 3 * kMillisecond);
    timeline.allocated(4000, begin + 4 * kMillisecond);
    timeline.end(sum, begin + 6 * kMillisecond);
    timeline.allocated(-4000, begin + 6 * kMillisecond);
    timeline.end(product, begin + 7 * kMillisecond);
    timeline.end(forward, begin + 8 * kMillisecond);
    timeline.end(step, begin + 10 * kMillisecond);
  }
  return timeline;
}

std::vector<json> events_of(const json& trace, const std::string& kind) {
  std::vector<json> events;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") == kind) events.push_back(event);
  }
  return events;
}

}  // namespace

TEST_CASE("a trace is JSON in Chrome's format") {
  const Timeline timeline = two_steps();
  const json trace = json::parse(text_of(timeline.trace({{"run", "dig\"its"}})));
  CHECK(trace.at("otherData") == json{{"run", "dig\"its"}});

  const auto spans = events_of(trace, "X");
  REQUIRE(spans.size() == 10);
  CHECK(spans[0] == json{{"ph", "X"},
                         {"cat", "user_annotation"},
                         {"name", "step 1"},
                         {"pid", 1},
                         {"tid", 1},
                         {"ts", 0.0},
                         {"dur", 10000.0},
                         {"args", json::object()}});
  CHECK(spans[3] == json{{"ph", "X"},
                         {"cat", "cpu_op"},
                         {"name", "aten::mm"},
                         {"pid", 1},
                         {"tid", 1},
                         {"ts", 2000.0},
                         {"dur", 5000.0},
                         {"args", {{"Input Dims", {{2, 3}, {3, 4}, json::array()}}}}});
  CHECK(spans[4].at("args") == json{{"allocated bytes", 4000}});

  std::vector<std::pair<double, int>> memory;
  for (const json& event : events_of(trace, "C"))
    memory.emplace_back(event.at("ts"), event.at("args").at("bytes"));
  CHECK(memory == std::vector<std::pair<double, int>>{
                      {0, 1000}, {4000, 5000}, {6000, 1000}, {14000, 5000}, {16000, 1000}});
  CHECK(events_of(trace, "M").size() == 2);
}

TEST_CASE("a trace of nothing is one that viewers open") {
  const json trace = json::parse(text_of(Timeline().trace(json::object())));
  CHECK(trace.at("traceEvents").size() == 2);
}

TEST_CASE("what is inside an operator is not its own time") {
  const Timeline timeline = two_steps();
  const auto rows = track::operator_rows(timeline);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "aten::sum");
  CHECK(rows[0].own == Approx(0.006));
  CHECK(rows[0].allocated == 8000);
  CHECK(rows[1].name == "aten::mm");
  CHECK(rows[1].calls == 2);
  CHECK(rows[1].own == Approx(0.004));
  CHECK(rows[1].whole == Approx(0.01));
  const auto parts = track::part_rows(timeline);
  REQUIRE(parts.size() == 2);
  CHECK(parts[1].name == "forward");
  CHECK(parts[1].whole == Approx(0.012));
}

TEST_CASE("an end is that of all within it") {
  Timeline timeline;
  const auto step = timeline.begin(Kind::step, "step 1", 0);
  timeline.begin(Kind::operation, "aten::mm", 10);
  timeline.end(step, 30);
  CHECK(timeline.spans()[1].end == 30);
  const auto next = timeline.begin(Kind::step, "step 2", 30);
  timeline.end(next, 40);
  CHECK(timeline.spans()[2].begin == 30);
  CHECK(track::operator_rows(timeline)[0].own == Approx(20e-9));
}

TEST_CASE("the table says where the time of a step goes") {
  std::string text;
  for (const std::string& line : track::time_table(two_steps(), /*with_memory=*/true))
    text += line + "\n";
  CHECK(
      text ==
      "  ms a step                                        calls        ms     share\n"
      "  data                                                 1     2.000    20.0 %\n"
      "  forward                                              1     6.000    60.0 %\n"
      "  all                                                       10.000   100.0 %\n"
      "  operator                                         calls    own ms     share    all ms     "
      "takes\n"
      "  aten::sum                                            1     3.000    30.0 %     3.000    "
      "4.0 kB\n"
      "  aten::mm                                             1     2.000    20.0 %     5.000\n"
      "  outside of operators                                       5.000    50.0 %\n");
}

TEST_CASE("a table of many operators names the slowest") {
  Timeline timeline;
  const auto step = timeline.begin(Kind::step, "step 1", 0);
  for (int i = 0; i < 25; ++i) {
    const auto span = timeline.begin(Kind::operation, "aten::op" + std::to_string(i), i * 1000);
    timeline.end(span, i * 1000 + 10 * i);
  }
  timeline.end(step, 100'000);
  const auto lines = track::time_table(timeline, false);
  CHECK(lines.size() == 25);
  CHECK(lines[3].starts_with("  aten::op24 "));
  CHECK(lines[23].starts_with("  5 others "));
  CHECK(track::time_table(Timeline(), false).empty());
}
