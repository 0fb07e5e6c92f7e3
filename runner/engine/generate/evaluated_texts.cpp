#include "runner/engine/generate/evaluated_texts.h"

#include "runner/data/sets/open.h"
#include "runner/data/text/kept_tokenizer.h"
#include "runner/engine/device/generators.h"
#include "runner/engine/model/module/evaluating.h"
#include "runner/plan/random.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

std::shared_ptr<const data::Tokenizer> tokenizer_of(const Job& job) {
  const auto& file = job.recipe.generate.tokenizer;
  auto tokenizer = file ? data::open_tokenizer_json(*file) : job.sets.tokenizer;
  if (tokenizer) return tokenizer;
  throw Error("evaluate.generate writes text, and the data have no tokenizer",
              "name its tokenizer.json: generate: {tokenizer: FILE}", Exit::invalid_recipe);
}

/// Returns which ranks hold what a forward needs.
Asking asking_in(const Job& job) {
  const bool is_divided = job.shards && !job.shards->parameters_are_whole();
  return is_divided ? Asking::all_ranks : Asking::first_rank;
}

}  // namespace

EvaluatedTexts::EvaluatedTexts(Job& job)
    : job_(job),
      tokenizer_(tokenizer_of(job)),
      scores_(*job.trained.model, job.recipe,
              static_cast<std::int64_t>(data::tokens_in_sample(job.recipe.data.train))),
      generator_(scores_, *tokenizer_, job.recipe.generate, *job.group, asking_in(job)) {
  for (const std::string& prompt : job.recipe.evaluate.generate->prompts)
    generator_.tokens_of(prompt);
}

void EvaluatedTexts::try_model() {
  const model::Evaluating mode(*job_.trained.model);
  const BorrowedGenerator generator(0);
  generator_.try_model();
  scores_.forget();
}

std::optional<track::GeneratedTexts> EvaluatedTexts::write(std::uint64_t step,
                                                           const run::Stop& stop) {
  const model::Evaluating mode(*job_.trained.model);
  const BorrowedGenerator generator(0);
  const recipe::EvaluatedText& wanted = *job_.recipe.evaluate.generate;
  const auto most = static_cast<std::uint64_t>(wanted.tokens);
  track::GeneratedTexts texts;
  bool is_stopped = false;
  for (std::uint32_t number = 0; number < wanted.prompts.size() && !is_stopped; ++number) {
    // For models that draw in evaluation mode.
    seed_generator(plan::random_bits(static_cast<std::uint64_t>(job_.recipe.seed),
                                     plan::Purpose::evaluation, number, step));
    Generated made =
        generator_.write(wanted.prompts[number], number, most, [&](const std::string&) {
          is_stopped = job_.group->any(stop.is_asked());
          return !is_stopped;
        });
    texts.push_back({.step = step,
                     .number = number,
                     .prompt = std::move(made.prompt),
                     .text = std::move(made.text),
                     .tokens = made.tokens,
                     .is_stopped = made.is_stopped});
  }
  scores_.forget();
  if (is_stopped) return std::nullopt;  // a resumed run writes them from the start
  return texts;
}

}  // namespace knead::engine
