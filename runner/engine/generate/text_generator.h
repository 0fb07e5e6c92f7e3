#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "runner/data/bpe/tokenizer.h"
#include "runner/engine/generate/next_scores.h"

namespace knead::engine {

/// Holds a text that a model has written.
struct Generated {
  std::string prompt;
  std::string text{};        // without the prompt
  std::uint64_t tokens = 0;  // that were drawn, those of a stop included
  bool is_stopped = false;   // by one of generate.stop, and not by the number of tokens
};

/// Writes text with a language model, token by token. Borrows its arguments. Not thread-safe.
class TextGenerator {
 public:
  /// Receives pieces of a text as they are certain, and returns whether to go on.
  using Show = std::function<bool(const std::string& piece)>;

  /// `scores`: of the model. `rule`: how tokens are drawn.
  TextGenerator(NextScores& scores, const data::Tokenizer& tokenizer, const recipe::Generate& rule)
      : scores_(scores), tokenizer_(tokenizer), rule_(rule) {}

  /// Returns what the model writes behind a prompt, at most `most` tokens. The text depends on the
  /// weights, the prompt, the rule with its seed and `number` alone, which tells prompts apart.
  /// Throws knead::Error if the prompt is empty or has a character that the tokenizer does not
  /// know, if the model has another vocabulary, or if its scores are not finite.
  Generated write(const std::string& prompt, std::uint32_t number, std::uint64_t most,
                  const Show& show);

 private:
  std::vector<std::uint32_t> tokens_of(const std::string& prompt) const;
  std::uint32_t draw(std::span<const std::uint32_t> tokens, std::uint32_t number,
                     std::uint64_t place);

  NextScores& scores_;
  const data::Tokenizer& tokenizer_;
  const recipe::Generate& rule_;
};

}  // namespace knead::engine
