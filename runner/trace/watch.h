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

/// Sets the name of the calling thread in traces: "reader 1". Without a call traces use the name
/// that the system has for the thread.
void name_thread(std::string name);

/// Records a span of the calling thread from construction to destruction. Copies `name`.
class Span {
 public:
  explicit Span(std::string_view name) : Span(Kind::part, name) {}
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

/// Adds allocated bytes to the innermost span of the calling thread; ignores negative numbers.
void allocated(std::int64_t bytes);

/// Starts recording spans. Only one recording runs at a time.
void start_watching();

/// Returns whether a thread had more spans than a trace viewer can show; further spans are dropped.
bool is_full();

/// Ends the recording and all open spans. Returns the threads that have spans: the calling thread
/// first, the others by name.
std::vector<Thread> stop_watching();

}  // namespace knead::trace
