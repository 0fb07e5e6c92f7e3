#include "runner/track/timeline.h"

#include <span>

namespace knead::track {
namespace {

using nlohmann::json;

constexpr std::size_t kMost = 1'000'000;
constexpr int kProcess = 1, kThread = 1;

double microseconds(Timeline::Nanoseconds time) { return static_cast<double>(time) / 1000; }

json named(const char* what, const std::string& name) {
  return {
      {"ph", "M"}, {"name", what}, {"pid", kProcess}, {"tid", kThread}, {"args", {{"name", name}}}};
}

bool is_operator(Timeline::Kind kind) {
  return kind == Timeline::Kind::operation || kind == Timeline::Kind::backward;
}

json event_of(const Timeline::Span& span, Timeline::Nanoseconds first) {
  json arguments = json::object();
  if (!span.inputs.empty()) arguments["Input Dims"] = json::parse(span.inputs);
  if (span.allocated > 0) arguments["allocated bytes"] = span.allocated;
  return {{"ph", "X"},
          {"cat", is_operator(span.kind) ? "cpu_op" : "user_annotation"},
          {"name", *span.name},
          {"pid", kProcess},
          {"tid", kThread},
          {"ts", microseconds(span.begin - first)},
          {"dur", microseconds(span.end - span.begin)},
          {"args", std::move(arguments)}};
}

/// Gives a file its text in pieces of some size.
class Lines {
 public:
  explicit Lines(const files::Sink& sink) : sink_(sink) {}

  void add(std::string_view text) {
    text_ += text;
    if (text_.size() >= kPiece) flush();
  }

  void flush() {
    sink_(std::as_bytes(std::span(text_)));
    text_.clear();
  }

 private:
  static constexpr std::size_t kPiece = 1 << 16;

  const files::Sink& sink_;
  std::string text_;
};

}  // namespace

std::size_t Timeline::begin(Kind kind, std::string_view name, Nanoseconds now, std::string inputs) {
  const std::string& kept = *names_.emplace(name).first;
  spans_.push_back({&kept, kind, now, now, 0, 0, std::move(inputs)});
  open_.push_back(spans_.size() - 1);
  return open_.back();
}

void Timeline::end(std::size_t span, Nanoseconds now) {
  while (!open_.empty() && open_.back() >= span) {
    Span& ended = spans_[open_.back()];
    open_.pop_back();
    ended.end = now;
    if (is_operator(ended.kind) && !open_.empty()) spans_[open_.back()].inside += now - ended.begin;
  }
}

void Timeline::allocated(std::int64_t bytes, Nanoseconds now) {
  bytes_ += bytes;
  if (memory_.size() < kMost) memory_.push_back({now, bytes_});
  if (bytes > 0 && !open_.empty()) spans_[open_.back()].allocated += bytes;
}

void Timeline::start_memory(std::int64_t bytes, Nanoseconds now) {
  bytes_ = bytes;
  memory_.push_back({now, bytes});
}

bool Timeline::is_full() const { return spans_.size() >= kMost || memory_.size() >= kMost; }

files::Content Timeline::trace(json about) const {
  return [this, about = std::move(about)](const files::Sink& sink) {
    const Nanoseconds first = spans_.empty() ? 0 : spans_.front().begin;
    // Event by event: all of them would take much memory as one value.
    Lines lines(sink);
    lines.add("{\"displayTimeUnit\": \"ms\", \"otherData\": " + about.dump() +
              ",\n\"traceEvents\": [\n");
    lines.add(named("process_name", "knead").dump() + ",\n");
    lines.add(named("thread_name", "training").dump());
    for (const Span& span : spans_) lines.add(",\n" + event_of(span, first).dump());
    for (const Memory& each : memory_) {
      const json counter = {{"ph", "C"},
                            {"name", "memory of tensors"},
                            {"pid", kProcess},
                            {"ts", microseconds(each.time - first)},
                            {"args", {{"bytes", each.bytes}}}};
      lines.add(",\n" + counter.dump());
    }
    lines.add("\n]}\n");
    lines.flush();
  };
}

}  // namespace knead::track
