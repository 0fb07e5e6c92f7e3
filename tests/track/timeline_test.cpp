#include "runner/trace/timeline.h"

#include <map>
#include <set>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runner/track/time_table.h"
#include "runner/track/trace_file.h"

using namespace knead;
using nlohmann::json;
using trace::DeviceWork;
using trace::Kind;
using trace::Nanoseconds;
using trace::Recorded;
using trace::Timeline;

namespace {

constexpr Nanoseconds kOneMillisecond = 1'000'000;

std::string text_of(const files::Content& content) {
  std::string text;
  content([&](std::span<const std::byte> bytes) {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  return text;
}

/// Two steps of 10 ms: 2 for data, 6 forward, of which a product takes 5 and 3 of these a sum.
Recorded two_steps() {
  Recorded recorded;
  Timeline& timeline = recorded.threads.emplace_back(trace::Thread{"training", 70, {}, 0}).timeline;
  recorded.memory.push_back({0, 1000});
  for (Nanoseconds begin : {Nanoseconds(0), 10 * kOneMillisecond}) {
    const auto step = timeline.begin(Kind::step, begin == 0 ? "step 1" : "step 2", begin);
    const auto data = timeline.begin(Kind::part, "data", begin);
    timeline.end(data, begin + 2 * kOneMillisecond);
    const auto forward = timeline.begin(Kind::part, "forward", begin + 2 * kOneMillisecond);
    const auto product = timeline.begin(Kind::operation, "aten::mm", begin + 2 * kOneMillisecond,
                                        "[[2,3],[3,4],[]]");
    const auto sum = timeline.begin(Kind::operation, "aten::sum", begin + 3 * kOneMillisecond);
    timeline.allocated(4000);
    recorded.memory.push_back({begin + 4 * kOneMillisecond, 5000});
    timeline.end(sum, begin + 6 * kOneMillisecond);
    timeline.allocated(-4000);
    recorded.memory.push_back({begin + 6 * kOneMillisecond, 1000});
    timeline.end(product, begin + 7 * kOneMillisecond);
    timeline.end(forward, begin + 8 * kOneMillisecond);
    timeline.end(step, begin + 10 * kOneMillisecond);
  }
  return recorded;
}

Recorded spans_of(Timeline timeline) {
  Recorded recorded;
  recorded.threads.push_back({"training", 70, std::move(timeline), 0});
  return recorded;
}

/// The two steps, with a reader and a GPU: 4 ms of it for the sum, 2 ms of a copy that nobody is
/// known to have asked for.
Recorded with_others() {
  Recorded recorded = two_steps();
  trace::Thread reader{"reader 1", 71, {}, 0};
  const auto batch = reader.timeline.begin(Kind::part, "batch 3", -kOneMillisecond);
  reader.timeline.end(batch, 5 * kOneMillisecond);
  const auto wait = reader.timeline.begin(Kind::wait, "waits for room", 6 * kOneMillisecond);
  reader.timeline.end(wait, 19 * kOneMillisecond);
  recorded.threads.push_back(std::move(reader));
  const auto kernel = [&](std::string name, std::int64_t stream, Nanoseconds begin,
                          Nanoseconds length, Nanoseconds asked_at) {
    recorded.device.push_back({DeviceWork::Kind::kernel, std::move(name), 0, stream,
                               begin * kOneMillisecond, (begin + length) * kOneMillisecond,
                               asked_at * kOneMillisecond, asked_at == 0 ? 0 : 70});
  };
  kernel("sum_kernel", 7, 5, 4, 4);
  kernel("later", 7, 8, 2, 12);
  recorded.device.push_back({DeviceWork::Kind::copy, "Memcpy HtoD", 0, 20, 6 * kOneMillisecond,
                             8 * kOneMillisecond, 0, 0});
  for (const DeviceWork& work : recorded.device) {
    if (work.asked_at != 0)
      recorded.threads[0].timeline.worked(work.asked_at, work.end - work.begin);
  }
  return recorded;
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
  const Recorded recorded = two_steps();
  const json trace = json::parse(text_of(track::trace_file(recorded, {{"run", "dig\"its"}})));
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
  const Recorded nothing;
  const json trace = json::parse(text_of(track::trace_file(nothing, json::object())));
  CHECK(trace.at("traceEvents").size() == 1);
}

TEST_CASE("no event of a trace comes before its begin") {
  Recorded recorded = two_steps();
  recorded.memory.insert(recorded.memory.begin(), {-7000, 1000});
  const json trace = json::parse(text_of(track::trace_file(recorded, json::object())));
  for (const json& event : trace.at("traceEvents"))
    CHECK((event.at("ph") == "M" || event.at("ts") >= 0.0));
  CHECK(events_of(trace, "C").front().at("ts") == 0.0);
  CHECK(events_of(trace, "X").front().at("ts") == 7.0);
}

TEST_CASE("other threads and the streams of GPUs have tracks of their own") {
  const Recorded recorded = with_others();
  const json trace = json::parse(text_of(track::trace_file(recorded, json::object())));
  std::vector<std::string> names;
  for (const json& event : events_of(trace, "M"))
    names.push_back(std::to_string(event.at("pid").get<int>()) + " " +
                    std::to_string(event.at("tid").get<int>()) + " " +
                    event.at("args").at("name").get<std::string>());
  CHECK(names == std::vector<std::string>{"1 1 knead", "1 1 training", "1 2 reader 1",
                                          "2 20000 GPU 0", "2 20000 stream 7", "2 20001 stream 20",
                                          "2 20002 stream 7"});
  std::map<std::string, json> spans;
  for (const json& event : events_of(trace, "X")) spans[event.at("name")] = event;
  CHECK(spans.at("batch 3").at("tid") == 2);
  CHECK(spans.at("batch 3").at("ts") == 0.0);
  CHECK(spans.at("sum_kernel") == json{{"ph", "X"},
                                       {"cat", "kernel"},
                                       {"name", "sum_kernel"},
                                       {"pid", 2},
                                       {"tid", 20000},
                                       {"ts", 6000.0},
                                       {"dur", 4000.0},
                                       {"args", {{"device", 0}, {"stream", 7}}}});
  CHECK(spans.at("later").at("tid") == 20002);  // it begins before the other ends
  CHECK(spans.at("Memcpy HtoD").at("cat") == "gpu_memcpy");
  const auto begins = events_of(trace, "s"), ends = events_of(trace, "f");
  REQUIRE(begins.size() == 2);
  CHECK(begins[0].at("tid") == 1);
  CHECK(begins[0].at("ts") == 5000.0);
  CHECK(ends[0].at("id") == begins[0].at("id"));
  CHECK(ends[0].at("ts") == 6000.0);
}

TEST_CASE("each rank is a process of its own in a trace") {
  const Recorded first = two_steps();
  const Recorded second = with_others();
  const auto others =
      track::trace_events(second, {.rank = 1, .ranks = 2, .first = track::first_of(second)});
  const json trace = json::parse(text_of(track::trace_file(
      first, json::object(), {.rank = 0, .ranks = 2, .first = track::first_of(first)}, {others})));
  std::map<int, std::string> processes;
  std::map<int, std::set<int>> threads;
  for (const json& event : events_of(trace, "M"))
    if (event.at("name") == "process_name")
      processes[event.at("pid")] = event.at("args").at("name");
  for (const json& event : events_of(trace, "X"))
    threads[event.at("pid")].insert(event.at("tid").get<int>());
  CHECK(processes == std::map<int, std::string>{{1, "rank 0"}, {1001, "rank 1"}, {1002, "GPU 0"}});
  CHECK(threads[1] == std::set<int>{1});
  CHECK(threads[1001] == std::set<int>{10'000'001, 10'000'002});
  CHECK(threads[1002] == std::set<int>{10'020'000, 10'020'001, 10'020'002});
}

TEST_CASE("what a GPU did is the operator's that asked for it") {
  const Recorded recorded = with_others();
  const auto rows = track::operator_rows(recorded);
  CHECK(rows[0].name == "aten::sum");
  CHECK(rows[0].device == Approx(0.004));
  CHECK(rows[1].device == Approx(0.002));  // of the product itself
  const auto parts = track::part_rows(recorded);
  CHECK(parts[0].device == 0);
  CHECK(parts[1].device == Approx(0.006));
  const auto others = track::other_rows(recorded);
  REQUIRE(others.size() == 2);
  CHECK(others[0].name == "reader 1");
  CHECK(others[0].whole == Approx(0.006));  // it waited for the rest
  CHECK(others[1].name == "GPU 0");
  CHECK(others[1].whole == Approx(0.005));  // two streams at once are one GPU
}

TEST_CASE("the table has a column for a GPU where there is one") {
  std::string text;
  for (const std::string& line : track::time_table(with_others(), /*with_memory=*/false))
    text += line + "\n";
  CHECK(
      text ==
      "  ms a step                                        calls        ms     share              "
      "GPU ms\n"
      "  data                                                 1     2.000    20.0 %               "
      "0.000\n"
      "  forward                                              1     6.000    60.0 %               "
      "3.000\n"
      "  all                                                       10.000   100.0 %\n"
      "  beside the loop                                          busy ms     share\n"
      "  reader 1                                                   3.000    30.0 %\n"
      "  GPU 0                                                      2.500    25.0 %\n"
      "  operator                                         calls    own ms     share    all ms    "
      "GPU ms\n"
      "  aten::sum                                            1     3.000    30.0 %     3.000     "
      "2.000\n"
      "  aten::mm                                             1     2.000    20.0 %     5.000     "
      "1.000\n"
      "  outside of operators                                       5.000    50.0 %\n");
}

TEST_CASE("what is inside an operator is not its own time") {
  const Recorded recorded = two_steps();
  const auto rows = track::operator_rows(recorded);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "aten::sum");
  CHECK(rows[0].own == Approx(0.006));
  CHECK(rows[0].allocated == 8000);
  CHECK(rows[1].name == "aten::mm");
  CHECK(rows[1].calls == 2);
  CHECK(rows[1].own == Approx(0.004));
  CHECK(rows[1].whole == Approx(0.01));
  const auto parts = track::part_rows(recorded);
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
  CHECK(track::operator_rows(spans_of(std::move(timeline)))[0].own == Approx(20e-9));
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
