#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/trace/recorded.h"

/// Records what all threads of this process do between start_watching() and stop_watching().
/// Outside of that a Span costs one relaxed atomic load. All functions may be called from any
/// thread.
namespace knead::trace {

/// Sets the name of the calling thread in traces: "reader 1". It counts from the next recording in
/// which the thread begins a span. Without a call traces use the name that the system has for the
/// thread.
void name_thread(std::string name);

/// Records a span of the calling thread from construction to destruction. Copies `name`. Spans of a
/// thread must end in the reverse order of their beginning, as local variables do; ending one ends
/// those within it. A span that outlives its recording has no effect, and neither has one on a full
/// timeline.
class Span {
 public:
  explicit Span(std::string_view name) : Span(Kind::part, name) {}
  /// Records a span of another kind than a part of a step.
  Span(Kind kind, std::string_view name) {
    if (is_watched()) begin(kind, name, {}, {});
  }
  /// Names the span by name and number: "batch 17".
  Span(std::string_view name, std::uint64_t number) : Span(Kind::part, name, number) {}
  Span(Kind kind, std::string_view name, std::uint64_t number) {
    if (is_watched()) begin(kind, name, {}, number);
  }
  /// `inputs`: shapes of the inputs as JSON, "[[32,64],[]]".
  Span(Kind kind, std::string_view name, std::string inputs) {
    if (is_watched()) begin(kind, name, std::move(inputs), {});
  }
  ~Span() {
    if (thread_) end();
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  /// Returns whether a recording runs.
  static bool is_watched();
  /// Begins the span on the thread's timeline, unless the timeline is full.
  void begin(Kind kind, std::string_view name, std::string inputs,
             std::optional<std::uint64_t> number);
  /// Ends the span, unless its recording has ended before.
  void end();

  /// Holds the spans of one thread.
  struct Watched;
  friend struct Threads;

  std::shared_ptr<Watched> thread_;  // null if nothing is recorded
  std::uint64_t watch_ = 0;          // number of the recording that the span belongs to
  std::size_t span_ = 0;
};

/// Adds allocated bytes to the innermost span of the calling thread; ignores negative numbers, and
/// all numbers outside of a recording.
void allocated(std::int64_t bytes);

/// Starts recording spans, with empty timelines. Only one recording runs at a time: a second call
/// abandons the first recording.
void start_watching();

/// Returns whether a thread had more spans than a trace viewer can show; further spans are dropped.
/// The answer stays after the recording ends, until the next one starts.
bool is_full();

/// Ends the recording and all open spans. Returns the threads that have spans: the calling thread
/// first, the others by name, "reader 9" before "reader 10". Threads that have ended meanwhile are
/// among them. Returns an empty list if nothing was recorded.
std::vector<Thread> stop_watching();

}  // namespace knead::trace
