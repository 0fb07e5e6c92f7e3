#include "runner/track/trace_file.h"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

#include "schema/document/json_text.h"

namespace knead::track {
namespace {

using nlohmann::json;
using trace::DeviceWork;
using trace::Nanoseconds;
using trace::Timeline;

// Viewers treat equal thread ids as one thread, even in different processes, so the threads of each
// rank and device have ids of their own.
int process_of(const TracedRank& rank) { return 1 + 1000 * rank.rank; }
int thread_of(const TracedRank& rank, std::size_t number) {
  return 10'000 * (process_of(rank) - 1) + static_cast<int>(number) + 1;
}
int process_of(const TracedRank& rank, int device) { return process_of(rank) + 1 + device; }
int thread_of(const TracedRank& rank, int device, std::size_t lane) {
  return 10'000 * process_of(rank, device) + static_cast<int>(lane);
}

double microseconds(Nanoseconds time) { return static_cast<double>(time) / 1000; }

/// Writes events one by one to a sink, in pieces, because one JSON value of all events would take
/// much memory.
class Events {
 public:
  explicit Events(const files::Sink& sink) : sink_(sink) {}

  void begin(const json& about) {
    text_ = "{\"displayTimeUnit\": \"ms\", \"otherData\": " + schema::json_text(about) +
            ",\n\"traceEvents\": [\n";
  }

  void add(const json& event) { add_text(schema::json_text(event)); }

  /// Adds events that trace_events() has returned.
  void add_text(const std::string& text) {
    if (any_) text_ += ",\n";
    any_ = true;
    text_ += text;
    if (text_.size() >= kPiece) flush();
  }

  void end() {
    text_ += "\n]}\n";
    flush();
  }

  void flush() {
    sink_(std::as_bytes(std::span(text_)));
    text_.clear();
  }

 private:
  static constexpr std::size_t kPiece = 1 << 16;  // bytes

  const files::Sink& sink_;
  std::string text_;
  bool any_ = false;
};

/// Returns a metadata event ("M") that names a process or a thread.
json named(const char* what, int process, int thread, const std::string& name) {
  return {
      {"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

/// Returns a complete event ("X"): a span with its begin and duration in microseconds.
json complete(const char* category, const std::string& name, int process, int thread,
              Nanoseconds begin, Nanoseconds end) {
  return {{"ph", "X"},
          {"cat", category},
          {"name", name},
          {"pid", process},
          {"tid", thread},
          {"ts", microseconds(begin)},
          {"dur", microseconds(end - begin)}};
}

void add_thread(Events& events, const trace::Thread& thread, std::size_t number,
                const TracedRank& rank) {
  const int process = process_of(rank);
  const int id = thread_of(rank, number);
  events.add(named("thread_name", process, id, thread.name));
  for (const Timeline::Span& span : thread.timeline.spans()) {
    json arguments = json::object();
    if (!span.inputs.empty()) arguments["Input Dims"] = schema::parse_json(span.inputs);
    if (span.allocated > 0) arguments["allocated bytes"] = span.allocated;
    json event =
        complete(trace::is_operator(span.kind) ? "cpu_op" : "user_annotation", span.label(),
                 process, id, span.begin - rank.first, span.end - rank.first);
    event["args"] = std::move(arguments);
    events.add(event);
  }
}

void add_memory(Events& events, const std::vector<trace::Memory>& memory, const TracedRank& rank) {
  for (const trace::Memory& each : memory) {
    events.add({{"ph", "C"},
                {"name", "memory of tensors"},
                {"pid", process_of(rank)},
                {"ts", microseconds(each.time - rank.first)},
                {"args", {{"bytes", each.bytes}}}});
  }
}

const char* category_of(DeviceWork::Kind kind) {
  switch (kind) {
    case DeviceWork::Kind::kernel: return "kernel";
    case DeviceWork::Kind::copy: return "gpu_memcpy";
    case DeviceWork::Kind::fill: return "gpu_memset";
  }
  return "";
}

/// Adds the streams of all devices as threads. Work that overlaps within a stream goes to a second
/// thread of the same name, because viewers drop overlapping events of a thread.
class Streams {
 public:
  Streams(Events& events, const trace::Recorded& recorded, const TracedRank& rank)
      : events_(events), recorded_(recorded), rank_(rank) {}

  void add_all() {
    std::vector<const DeviceWork*> works;
    for (const DeviceWork& work : recorded_.device) works.push_back(&work);
    std::stable_sort(works.begin(), works.end(),
                     [](const DeviceWork* a, const DeviceWork* b) { return a->begin < b->begin; });
    for (const DeviceWork* work : works) add(*work);
  }

 private:
  struct Lane {
    int thread;
    Nanoseconds end;
  };

  void add(const DeviceWork& work) {
    const int process = process_of(rank_, work.device);
    const int thread = lane_of(work);
    json event = complete(category_of(work.kind), work.name, process, thread,
                          work.begin - rank_.first, work.end - rank_.first);
    event["args"] = {{"device", work.device}, {"stream", work.stream}};
    events_.add(event);
    if (work.asked_at != 0 && work.asked_at >= rank_.first) add_arrow(work, process, thread);
  }

  /// Adds an arrow from the launching call to the work, as two events ("s" and "f") of one id.
  void add_arrow(const DeviceWork& work, int process, int thread) {
    // The training thread is the first; work whose caller was not recorded is drawn from there.
    std::size_t asking = 0;
    for (std::size_t i = 0; i < recorded_.threads.size(); ++i) {
      if (recorded_.threads[i].id == work.asked_by) asking = i;
    }
    const std::int64_t id = 1'000'000'000LL * rank_.rank + ++arrows_;
    events_.add({{"ph", "s"},
                 {"id", id},
                 {"cat", "ac2g"},
                 {"name", "ac2g"},
                 {"pid", process_of(rank_)},
                 {"tid", thread_of(rank_, asking)},
                 {"ts", microseconds(work.asked_at - rank_.first)}});
    events_.add({{"ph", "f"},
                 {"bp", "e"},
                 {"id", id},
                 {"cat", "ac2g"},
                 {"name", "ac2g"},
                 {"pid", process},
                 {"tid", thread},
                 {"ts", microseconds(work.begin - rank_.first)}});
  }

  /// Returns the thread for work of a stream: the first whose work has ended, or a new one.
  int lane_of(const DeviceWork& work) {
    auto& lanes = lanes_[{work.device, work.stream}];
    for (Lane& lane : lanes) {
      if (lane.end > work.begin) continue;
      lane.end = work.end;
      return lane.thread;
    }
    const std::size_t before = threads_[work.device]++;
    const int process = process_of(rank_, work.device);
    if (before == 0)
      events_.add(named("process_name", process, thread_of(rank_, work.device, 0),
                        fmt::format("GPU {}", work.device)));
    const int thread = thread_of(rank_, work.device, before);
    events_.add(named("thread_name", process, thread, fmt::format("stream {}", work.stream)));
    lanes.push_back({thread, work.end});
    return thread;
  }

  Events& events_;
  const trace::Recorded& recorded_;
  TracedRank rank_;
  std::int64_t arrows_ = 0;
  std::map<std::pair<int, std::int64_t>, std::vector<Lane>> lanes_;
  std::map<int, std::size_t> threads_;  // of a device
};

void add_all(Events& events, const trace::Recorded& recorded, const TracedRank& rank) {
  const std::string name = rank.ranks == 1 ? "knead" : fmt::format("rank {}", rank.rank);
  events.add(named("process_name", process_of(rank), thread_of(rank, 0), name));
  for (std::size_t i = 0; i < recorded.threads.size(); ++i)
    add_thread(events, recorded.threads[i], i, rank);
  add_memory(events, recorded.memory, rank);
  Streams(events, recorded, rank).add_all();
}

}  // namespace

Nanoseconds first_of(const trace::Recorded& recorded) {
  Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
  for (const trace::Thread& thread : recorded.threads) {
    if (!thread.timeline.spans().empty())
      first = std::min(first, thread.timeline.spans().front().begin);
  }
  for (const DeviceWork& work : recorded.device) first = std::min(first, work.begin);
  if (!recorded.memory.empty()) first = std::min(first, recorded.memory.front().time);
  return first;
}

std::string trace_events(const trace::Recorded& recorded, const TracedRank& rank) {
  std::string text;
  const files::Sink sink = [&text](std::span<const std::byte> piece) {
    text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  };
  Events events(sink);
  add_all(events, recorded, rank);
  events.flush();
  return text;
}

files::Content trace_file(const trace::Recorded& recorded, json about, const TracedRank& rank,
                          std::vector<std::string> others) {
  return [&recorded, about = std::move(about), rank,
          others = std::move(others)](const files::Sink& sink) {
    Events events(sink);
    events.begin(about);
    add_all(events, recorded, rank);
    for (const std::string& text : others) events.add_text(text);
    events.end();
  };
}

files::Content trace_file(const trace::Recorded& recorded, json about) {
  return trace_file(recorded, std::move(about), {.first = first_of(recorded)});
}

}  // namespace knead::track
