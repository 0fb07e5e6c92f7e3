#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace knead::trace {

/// Counts nanoseconds of the monotonic clock that now() reads.
using Nanoseconds = std::int64_t;
/// Returns the time of the monotonic clock.
Nanoseconds now();

/// Tells the kinds of spans apart: a step, a part of a step, waiting for another thread, an
/// operator, a function of the backward pass.
enum class Kind { step, part, wait, operation, backward };

inline bool is_operator(Kind kind) { return kind == Kind::operation || kind == Kind::backward; }

/// Records the spans of time of one thread, which nest. Not thread-safe.
class Timeline {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// Describes an interval of work of the thread.
  struct Span {
    const std::string* name = nullptr;
    /// Distinguishes spans of one name, such as steps; traces add up spans by name alone.
    std::optional<std::uint64_t> number;
    Kind kind = Kind::part;
    std::size_t parent = kNone;  // innermost enclosing span; kNone for an outermost one
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    Nanoseconds inside = 0;  // spent in operators and backward functions directly within the span
    Nanoseconds device = 0;  // device time of work launched by the span itself
    Nanoseconds device_whole = 0;  // device time including nested spans
    std::int64_t allocated = 0;    // bytes that the span itself allocated
    std::string inputs;            // shapes of the inputs as JSON: "[[32,64],[]]"; may be empty

    std::string label() const;  // name and number: "step 17"
  };

  /// Begins a span within the innermost open one and returns its index in spans().
  std::size_t begin(Kind kind, std::string_view name, Nanoseconds now, std::string inputs = "",
                    std::optional<std::uint64_t> number = std::nullopt);

  /// Ends a span and all open spans within it.
  void end(std::size_t span, Nanoseconds now);

  /// Adds allocated bytes to the innermost open span; ignores freed (negative) bytes.
  void allocated(std::int64_t bytes);

  /// Adds `duration` of device work, launched at `time`, to the span that was innermost at that
  /// time and to all spans around it. All spans must have ended.
  void worked(Nanoseconds time, Nanoseconds duration);

  /// Returns the spans in the order in which they began.
  const std::vector<Span>& spans() const { return spans_; }

  /// Returns whether the timeline has as many spans as a trace viewer can show.
  bool is_full() const;

 private:
  std::unordered_set<std::string> names_;
  std::vector<Span> spans_;
  std::vector<std::size_t> open_;  // indices of the open spans, the outermost first
};

}  // namespace knead::trace
