#include "runner/engine/model/explain/run_error.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "runner/syntax/refusal.h"
#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

/// Returns whether a file is LibTorch's own source. An archive made by Python names it with the
/// paths of the machine that made it.
bool is_of_torch(const std::string& file) {
  return file.find("site-packages/torch/") != file.npos ||
         file.starts_with("code/__torch__/torch/");
}

/// Returns the position of a frame as "file:line:column".
std::string name_of(const Frame& frame) {
  std::string text = std::filesystem::path(frame.file).filename().string();
  text += ":" + std::to_string(frame.line);
  if (frame.column > 0) text += ":" + std::to_string(frame.column);
  return text;
}

/// Throws an error of an archive. It has no syntax::Refusal place, because the source file of the
/// archive may not exist on this machine.
[[noreturn]] void throw_for_archive(const Trace& trace, const Explanation& what) {
  const auto& frames = trace.frames;
  const auto own = std::find_if(frames.rbegin(), frames.rend(),
                                [](const Frame& frame) { return !is_of_torch(frame.file); });
  if (own == frames.rend()) throw Error(what.message, what.remedy);
  throw Error(name_of(*own) + ": " + what.message, what.remedy);
}

}  // namespace

/// A frame without a column is placed at the start of its line.
schema::Place place_of(const Frame& frame, const Sources& sources) {
  for (const auto& source : sources) {
    if (source->name() != frame.file) continue;
    const std::size_t column = frame.column > 0 ? static_cast<std::size_t>(frame.column) - 1 : 0;
    const std::size_t begin = source->line_start(frame.line) + column;
    return {source, begin, begin + static_cast<std::size_t>(std::max(frame.length, 1))};
  }
  return {};
}

void throw_run_error(std::string_view text, const Sources& sources, const Reword& reword) {
  const Trace trace = read_run_trace(text);
  const Explanation what = reword(first_sentence(trace.cause));
  if (sources.empty()) throw_for_archive(trace, what);

  schema::Place place;
  std::vector<schema::Place> calls;
  for (const Frame& frame : trace.frames) {
    const schema::Place at = place_of(frame, sources);
    if (!at) continue;
    // The user can change only the deepest line of a user file; deeper frames in layers are listed
    // as calls.
    if (at.source->is_file()) {
      place = at;
      calls.clear();
    } else {
      calls.push_back(at);
    }
  }
  if (!place) throw Error(what.message, what.remedy);
  syntax::Refusal refusal("model-failed", place, what.message, what.remedy);
  refusal.calls = std::move(calls);
  throw refusal;
}

}  // namespace knead::engine::model
