#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace knead::trace {

/// Of a clock that never goes back; see now().
using Nanoseconds = std::int64_t;
Nanoseconds now();

/// A step, a part of it, waiting for another thread, an operator, a function of the backward pass.
enum class Kind { step, part, wait, operation, backward };

inline bool is_operator(Kind kind) { return kind == Kind::operation || kind == Kind::backward; }

/// What one thread did for a while: spans of time that lie within each other. One thread.
class Timeline {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct Span {
    const std::string* name = nullptr;
    std::optional<std::uint64_t>
        number;  // of a step, say: what the name alone means is all of them
    Kind kind = Kind::part;
    std::size_t parent = kNone;  // the span that it lies directly within
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    Nanoseconds inside = 0;        // in operators and backward functions directly within it
    Nanoseconds device = 0;        // that a device worked on what it asked for, by itself
    Nanoseconds device_whole = 0;  // and with what is within it
    std::int64_t allocated = 0;    // bytes, by itself
    std::string inputs;            // their shapes, as JSON: "[[32,64],[]]"; may be empty

    std::string label() const;  // name and number: "step 17"
  };

  /// A span that began now, within those that have not ended; its number.
  std::size_t begin(Kind kind, std::string_view name, Nanoseconds now, std::string inputs = "",
                    std::optional<std::uint64_t> number = std::nullopt);

  /// The end of it, and of those within it that have not ended.
  void end(std::size_t span, Nanoseconds now);

  /// Bytes that were taken by the innermost span.
  void allocated(std::int64_t bytes);

  /// Time of a device that was asked for at `time`: of the innermost span then. All must have
  /// ended.
  void worked(Nanoseconds time, Nanoseconds duration);

  /// In the order of their begin.
  const std::vector<Span>& spans() const { return spans_; }

  /// Whether it holds as much as a viewer of traces can show.
  bool is_full() const;

 private:
  std::unordered_set<std::string> names_;
  std::vector<Span> spans_;
  std::vector<std::size_t> open_;  // the outermost first
};

}  // namespace knead::trace
