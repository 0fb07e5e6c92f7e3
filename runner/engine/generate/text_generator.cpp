#include "runner/engine/generate/text_generator.h"

#include <fmt/format.h>

#include "runner/engine/generate/written_text.h"
#include "runner/plan/draw_token.h"
#include "runner/plan/random.h"
#include "schema/document/error.h"

namespace knead::engine {

Generated TextGenerator::write(const std::string& prompt, std::uint32_t number, std::uint64_t most,
                               const Show& show) {
  std::vector<std::uint32_t> tokens = tokens_of(prompt);
  WrittenText written(tokenizer_, rule_.stop);
  Generated out{.prompt = prompt};
  bool goes_on = true;
  while (out.tokens < most && !out.is_stopped && goes_on) {
    const std::uint32_t token = next(tokens, number, out.tokens++);
    tokens.push_back(token);
    out.is_stopped = !written.add(token);
    goes_on = show(written.next(out.tokens == most));
  }
  out.text = written.text();
  return out;
}

std::vector<std::uint32_t> TextGenerator::tokens_of(const std::string& prompt) const {
  std::vector<std::uint32_t> tokens;
  tokenizer_.encode(prompt, "the prompt", tokens);
  if (tokens.empty())
    throw Error("the prompt is empty, and the model goes on from what is there",
                "write at least one character: a line break does", Exit::invalid_recipe);
  return tokens;
}

std::uint32_t TextGenerator::draw(std::vector<float> scores, std::uint32_t number,
                                  std::uint64_t place) const {
  if (scores.size() < tokenizer_.vocabulary())
    throw Error(fmt::format("the model has scores for {} tokens, and the tokenizer has {}",
                            scores.size(), tokenizer_.vocabulary()),
                "take the tokenizer that the model was trained with: generate.tokenizer");
  scores.resize(tokenizer_.vocabulary());  // models may have rows that stand for no token
  plan::Drawing drawing{.temperature = rule_.temperature, .top_p = rule_.top_p};
  if (rule_.top_k) drawing.top_k = static_cast<std::uint64_t>(*rule_.top_k);
  const std::uint64_t bits = plan::random_bits(static_cast<std::uint64_t>(rule_.seed),
                                               plan::Purpose::generated_token, number, place);
  const auto token = plan::draw_token(scores, drawing, static_cast<double>(bits >> 11) * 0x1p-53);
  if (!token)
    throw Error(fmt::format("the model's scores for token {} of a text are not finite", place + 1),
                "the weights are broken: knead evaluate says their loss");
  return *token;
}

std::uint32_t TextGenerator::next(std::span<const std::uint32_t> tokens, std::uint32_t number,
                                  std::uint64_t place) {
  const bool asks = group_.is_first() || asking_ == Asking::all_ranks;
  std::vector<float> scores;
  if (asks) scores = scores_.after(tokens);
  double token = 0;
  if (group_.is_first()) token = draw(std::move(scores), number, place);
  return static_cast<std::uint32_t>(group_.of_first(token));
}

void TextGenerator::try_model() {
  const std::vector<std::uint32_t> any{0};
  next(any, 0, 0);
}

}  // namespace knead::engine
