#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace knead::track {

/// Holds a text that a language model wrote at an evaluation: one line of generated.jsonl.
struct GeneratedText {
  /// Completed steps, over all starts of the run.
  std::uint64_t step = 0;
  /// Counts the prompts of evaluate.generate from 0.
  std::uint64_t number = 0;
  std::string prompt;
  /// Holds what was written behind the prompt.
  std::string text;
  /// Counts the tokens that were drawn, those of a stop included.
  std::uint64_t tokens = 0;
  /// Says whether one of generate.stop ended the text, and not its length.
  bool is_stopped = false;

  bool operator==(const GeneratedText&) const = default;
};

/// Returns the name under which trackers show the texts of a prompt: "generated/1" for the first.
inline std::string generated_tag(const GeneratedText& text) {
  return "generated/" + std::to_string(text.number + 1);
}

using GeneratedTexts = std::vector<GeneratedText>;

}  // namespace knead::track
