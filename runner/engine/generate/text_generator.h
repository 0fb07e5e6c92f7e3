#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "runner/data/bpe/tokenizer.h"
#include "runner/engine/generate/next_scores.h"
#include "runner/engine/parallel/group.h"

namespace knead::engine {

/// Holds a text that a model has written.
struct Generated {
  std::string prompt;
  std::string text{};        // without the prompt
  std::uint64_t tokens = 0;  // that were drawn, those of a stop included
  bool is_stopped = false;   // by one of generate.stop, and not by the number of tokens
};

/// Names the ranks that must ask a model together for the scores of a token: the first alone where
/// it has all parameters, all of them where they gather parameters for each other.
enum class Asking { first_rank, all_ranks };

/// Writes text with a language model, token by token. Of several ranks, which must all call it, the
/// first draws each token and the others get it, so that all write the same text, however their
/// scores were rounded. Borrows its arguments. Not thread-safe.
class TextGenerator {
 public:
  /// Receives pieces of a text as they are certain, and returns whether to go on.
  using Show = std::function<bool(const std::string& piece)>;

  /// `scores`: of the model. `rule`: how tokens are drawn.
  TextGenerator(NextScores& scores, const data::Tokenizer& tokenizer, const recipe::Generate& rule,
                parallel::Group& group, Asking asking = Asking::first_rank)
      : scores_(scores), tokenizer_(tokenizer), rule_(rule), group_(group), asking_(asking) {}

  /// Returns what the model writes behind a prompt, at most `most` tokens. The text depends on the
  /// weights, the prompt, the rule with its seed and `number` alone, which tells prompts apart.
  /// Throws knead::Error if the prompt is empty or has a character that the tokenizer does not
  /// know, if the model has another vocabulary, or if its scores are not finite.
  Generated write(const std::string& prompt, std::uint32_t number, std::uint64_t most,
                  const Show& show);

  /// Returns the tokens of a prompt. Throws as write().
  std::vector<std::uint32_t> tokens_of(const std::string& prompt) const;

  /// Asks the model once, and throws the errors that write() would throw for this model.
  void try_model();

 private:
  /// Returns the token that this rank draws from the model's scores.
  std::uint32_t draw(std::vector<float> scores, std::uint32_t number, std::uint64_t place) const;
  /// Returns the token that the first rank draws.
  std::uint32_t next(std::span<const std::uint32_t> tokens, std::uint32_t number,
                     std::uint64_t place);

  NextScores& scores_;
  const data::Tokenizer& tokenizer_;
  const recipe::Generate& rule_;
  parallel::Group& group_;
  Asking asking_;
};

}  // namespace knead::engine
