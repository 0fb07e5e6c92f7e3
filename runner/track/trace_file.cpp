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

constexpr int kProcess = 1;

// Viewers treat equal thread ids as one thread, even in different processes, so the threads of a
// device have ids of their own.
int process_of(int device) { return kProcess + 1 + device; }
int thread_of(int device, std::size_t lane) {
  return 10'000 * process_of(device) + static_cast<int>(lane);
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

  void add(const json& event) {
    if (any_) text_ += ",\n";
    any_ = true;
    text_ += schema::json_text(event);
    if (text_.size() >= kPiece) flush();
  }

  void end() {
    text_ += "\n]}\n";
    flush();
  }

 private:
  static constexpr std::size_t kPiece = 1 << 16;  // bytes

  void flush() {
    sink_(std::as_bytes(std::span(text_)));
    text_.clear();
  }

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

/// Returns the earliest time of the trace, which becomes its 0, because viewers refuse negative
/// times.
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

void add_thread(Events& events, const trace::Thread& thread, int number, Nanoseconds first) {
  events.add(named("thread_name", kProcess, number, thread.name));
  for (const Timeline::Span& span : thread.timeline.spans()) {
    json arguments = json::object();
    if (!span.inputs.empty()) arguments["Input Dims"] = schema::parse_json(span.inputs);
    if (span.allocated > 0) arguments["allocated bytes"] = span.allocated;
    json event = complete(trace::is_operator(span.kind) ? "cpu_op" : "user_annotation",
                          span.label(), kProcess, number, span.begin - first, span.end - first);
    event["args"] = std::move(arguments);
    events.add(event);
  }
}

void add_memory(Events& events, const std::vector<trace::Memory>& memory, Nanoseconds first) {
  for (const trace::Memory& each : memory) {
    events.add({{"ph", "C"},
                {"name", "memory of tensors"},
                {"pid", kProcess},
                {"ts", microseconds(each.time - first)},
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
  Streams(Events& events, const trace::Recorded& recorded, Nanoseconds first)
      : events_(events), recorded_(recorded), first_(first) {}

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
    const int process = process_of(work.device);
    const int thread = lane_of(work);
    json event = complete(category_of(work.kind), work.name, process, thread, work.begin - first_,
                          work.end - first_);
    event["args"] = {{"device", work.device}, {"stream", work.stream}};
    events_.add(event);
    if (work.asked_at != 0 && work.asked_at >= first_) add_arrow(work, process, thread);
  }

  /// Adds an arrow from the launching call to the work, as two events ("s" and "f") of one id.
  void add_arrow(const DeviceWork& work, int process, int thread) {
    // The training thread is the first; work whose caller was not recorded is drawn from there.
    int asking = 1;
    for (std::size_t i = 0; i < recorded_.threads.size(); ++i) {
      if (recorded_.threads[i].id == work.asked_by) asking = static_cast<int>(i) + 1;
    }
    ++arrows_;
    events_.add({{"ph", "s"},
                 {"id", arrows_},
                 {"cat", "ac2g"},
                 {"name", "ac2g"},
                 {"pid", kProcess},
                 {"tid", asking},
                 {"ts", microseconds(work.asked_at - first_)}});
    events_.add({{"ph", "f"},
                 {"bp", "e"},
                 {"id", arrows_},
                 {"cat", "ac2g"},
                 {"name", "ac2g"},
                 {"pid", process},
                 {"tid", thread},
                 {"ts", microseconds(work.begin - first_)}});
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
    const int process = process_of(work.device);
    if (before == 0)
      events_.add(named("process_name", process, thread_of(work.device, 0),
                        fmt::format("GPU {}", work.device)));
    const int thread = thread_of(work.device, before);
    events_.add(named("thread_name", process, thread, fmt::format("stream {}", work.stream)));
    lanes.push_back({thread, work.end});
    return thread;
  }

  Events& events_;
  const trace::Recorded& recorded_;
  Nanoseconds first_;
  std::uint64_t arrows_ = 0;
  std::map<std::pair<int, std::int64_t>, std::vector<Lane>> lanes_;
  std::map<int, std::size_t> threads_;  // of a device
};

}  // namespace

files::Content trace_file(const trace::Recorded& recorded, json about) {
  return [&recorded, about = std::move(about)](const files::Sink& sink) {
    const Nanoseconds first = first_of(recorded);
    Events events(sink);
    events.begin(about);
    events.add(named("process_name", kProcess, kProcess, "knead"));
    for (std::size_t i = 0; i < recorded.threads.size(); ++i)
      add_thread(events, recorded.threads[i], static_cast<int>(i) + 1, first);
    add_memory(events, recorded.memory, first);
    Streams(events, recorded, first).add_all();
    events.end();
  };
}

}  // namespace knead::track
