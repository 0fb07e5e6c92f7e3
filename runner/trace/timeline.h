#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace knead::trace {

/// Counts nanoseconds of the monotonic clock that now() reads. The origin is arbitrary: only
/// differences have a meaning.
using Nanoseconds = std::int64_t;
/// Returns the time of the monotonic clock (std::chrono::steady_clock). It never goes back, and its
/// values hold within one start of the machine.
Nanoseconds now();

/// Tells the kinds of spans apart: a step, a part of a step, waiting for another thread, an
/// operator, a function of the backward pass.
enum class Kind { step, part, wait, operation, backward };

/// Returns whether a span is a function of LibTorch rather than work of knead around it.
inline bool is_operator(Kind kind) { return kind == Kind::operation || kind == Kind::backward; }

/// Records the spans of time of one thread, which nest. Not thread-safe.
///
/// begin() and end() are called in time order. A span that is begun while others are open lies
/// within the innermost of them, so an index is always greater than that of the parent. After the
/// last end(), worked() distributes the time of the device, and spans() is complete. A copy refers
/// to names of the original: move a timeline instead.
class Timeline {
 public:
  /// Stands for no span where an index is expected.
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// Describes an interval of work of the thread. `name` points into the timeline and lives as long
  /// as it. `end` equals `begin` until the span ends.
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

  /// Begins a span within the innermost open one and returns its index in spans(). Copies `name`.
  /// `now` is not before that of any earlier call.
  std::size_t begin(Kind kind, std::string_view name, Nanoseconds now, std::string inputs = "",
                    std::optional<std::uint64_t> number = std::nullopt);

  /// Ends a span and all open spans within it. Does nothing for a span that has ended.
  void end(std::size_t span, Nanoseconds now);

  /// Adds allocated bytes to the innermost open span; ignores freed (negative) bytes, and all bytes
  /// if no span is open.
  void allocated(std::int64_t bytes);

  /// Adds `duration` of device work, launched at `time`, to the span that was innermost at that
  /// time and to all spans around it. Ignores work that no span launched. All spans must have
  /// ended. Takes logarithmic time in the number of spans, apart from the nesting.
  void worked(Nanoseconds time, Nanoseconds duration);

  /// Returns the spans in the order in which they began. The reference is valid until the next
  /// begin().
  const std::vector<Span>& spans() const { return spans_; }

  /// Returns whether the timeline has as many spans as a trace viewer can show, a million. It still
  /// takes more; the caller decides to stop.
  bool is_full() const;

 private:
  std::unordered_set<std::string> names_;
  std::vector<Span> spans_;
  std::vector<std::size_t> open_;  // indices of the open spans, the outermost first
};

}  // namespace knead::trace
