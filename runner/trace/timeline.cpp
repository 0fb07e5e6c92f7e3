#include "runner/trace/timeline.h"

#include <algorithm>
#include <chrono>

namespace knead::trace {
namespace {

// Viewers of traces can show about this many; here they take some 120 MB.
constexpr std::size_t kMost = 1'000'000;  // spans

}  // namespace

Nanoseconds now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

std::string Timeline::Span::label() const {
  return number ? *name + " " + std::to_string(*number) : *name;
}

std::size_t Timeline::begin(Kind kind, std::string_view name, Nanoseconds now, std::string inputs,
                            std::optional<std::uint64_t> number) {
  Span span;
  // The set holds each name once, because a recording has few names and many spans. Its nodes keep
  // their addresses when it grows or moves.
  span.name = &*names_.emplace(name).first;
  span.number = number;
  span.kind = kind;
  span.begin = span.end = now;
  if (!open_.empty()) span.parent = open_.back();
  span.inputs = std::move(inputs);
  spans_.push_back(std::move(span));
  open_.push_back(spans_.size() - 1);
  return open_.back();
}

void Timeline::end(std::size_t span, Nanoseconds now) {
  // Indices grow in the order of beginning, so that all open spans from `span` on lie within it.
  while (!open_.empty() && open_.back() >= span) {
    Span& ended = spans_[open_.back()];
    open_.pop_back();
    ended.end = now;
    if (is_operator(ended.kind) && !open_.empty()) spans_[open_.back()].inside += now - ended.begin;
  }
}

void Timeline::allocated(std::int64_t bytes) {
  if (bytes > 0 && !open_.empty()) spans_[open_.back()].allocated += bytes;
}

void Timeline::worked(Nanoseconds time, Nanoseconds duration) {
  const auto later =
      std::upper_bound(spans_.begin(), spans_.end(), time,
                       [](Nanoseconds at, const Span& span) { return at < span.begin; });
  // The last span that began before `time` lies within all spans that had not ended then.
  std::size_t place = later == spans_.begin() ? kNone : later - spans_.begin() - 1;
  while (place != kNone && spans_[place].end < time) place = spans_[place].parent;
  if (place != kNone) spans_[place].device += duration;
  for (; place != kNone; place = spans_[place].parent) spans_[place].device_whole += duration;
}

bool Timeline::is_full() const { return spans_.size() >= kMost; }

}  // namespace knead::trace
