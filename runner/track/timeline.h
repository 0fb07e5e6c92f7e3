#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <nlohmann/json.hpp>

#include "runner/files/file.h"

namespace knead::track {

/// What one thread did for a while: spans of time that lie within each other, and how many bytes
/// its tensors had. Times are nanoseconds of any clock that never goes back. One thread.
class Timeline {
 public:
  using Nanoseconds = std::int64_t;

  /// A step, a part of it that the loop names, an operator, a function of the backward pass.
  enum class Kind { step, part, operation, backward };

  struct Span {
    const std::string* name;
    Kind kind;
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    Nanoseconds inside = 0;      // in operators and backward functions directly within it
    std::int64_t allocated = 0;  // bytes, by itself
    std::string inputs;          // their shapes, as JSON: "[[32,64],[]]"; may be empty
  };

  /// A span that began now, within those that have not ended; its number.
  std::size_t begin(Kind kind, std::string_view name, Nanoseconds now, std::string inputs = "");

  /// The end of it, and of those within it that have not ended.
  void end(std::size_t span, Nanoseconds now);

  /// Bytes that were taken now, or given back where less than 0, by the innermost span.
  void allocated(std::int64_t bytes, Nanoseconds now);

  /// How many bytes there are; where memory is not watched, this is never called.
  void start_memory(std::int64_t bytes, Nanoseconds now);

  /// In the order of their begin.
  const std::vector<Span>& spans() const { return spans_; }

  /// Whether it holds as much as a viewer of traces can show.
  bool is_full() const;

  /// The text of a trace file in Chrome's format, an event a line: the spans as complete events
  /// ("X") of the categories user_annotation and cpu_op, which PyTorch's own traces have too,
  /// memory as a counter, `about` as otherData. All spans must have ended. Borrows this.
  files::Content trace(nlohmann::json about) const;

 private:
  struct Memory {
    Nanoseconds time;
    std::int64_t bytes;
  };

  std::unordered_set<std::string> names_;
  std::vector<Span> spans_;
  std::vector<std::size_t> open_;  // the outermost first
  std::vector<Memory> memory_;
  std::int64_t bytes_ = 0;
};

}  // namespace knead::track
