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
    const std::uint32_t token = draw(tokens, number, out.tokens++);
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

std::uint32_t TextGenerator::draw(std::span<const std::uint32_t> tokens, std::uint32_t number,
                                  std::uint64_t place) {
  std::vector<float> scores = scores_.after(tokens);
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
    throw Error(fmt::format("the model's scores behind {} tokens are not finite", tokens.size()),
                "the weights are broken: knead evaluate says their loss");
  return *token;
}

}  // namespace knead::engine
