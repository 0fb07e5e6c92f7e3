#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/trace/recorded.h"

/// What all threads of this process do, while somebody watches. Where nobody does, a Span costs
/// the look at one flag.
namespace knead::trace {

/// What traces call the calling thread: "reader 1". Without it: what the system calls it.
void name_thread(std::string name);

/// What the calling thread does while this lives. `name` is copied.
class Span {
 public:
  explicit Span(std::string_view name) : Span(Kind::part, name) {}
  Span(Kind kind, std::string_view name) {
    if (is_watched()) begin(kind, name, {}, {});
  }
  /// "batch 17".
  Span(std::string_view name, std::uint64_t number) : Span(Kind::part, name, number) {}
  Span(Kind kind, std::string_view name, std::uint64_t number) {
    if (is_watched()) begin(kind, name, {}, number);
  }
  /// `inputs`: their shapes, as JSON.
  Span(Kind kind, std::string_view name, std::string inputs) {
    if (is_watched()) begin(kind, name, std::move(inputs), {});
  }
  ~Span() {
    if (thread_) end();
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  static bool is_watched();
  void begin(Kind kind, std::string_view name, std::string inputs,
             std::optional<std::uint64_t> number);
  void end();

  struct Watched;
  friend struct Threads;

  std::shared_ptr<Watched> thread_;  // none: nobody watched
  std::uint64_t watch_ = 0;
  std::size_t span_ = 0;
};

/// Bytes that the calling thread has taken: of its innermost span.
void allocated(std::int64_t bytes);

/// From now on spans are kept; one watch at a time.
void start_watching();

/// Whether a thread has done more than a viewer of traces can show; the rest is left out.
bool is_full();

/// Ends the watch, and all spans. What threads did: the calling one first, then by name; not those
/// that did nothing.
std::vector<Thread> stop_watching();

}  // namespace knead::trace
