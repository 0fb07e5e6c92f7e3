#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "runner/data/sets/open.h"
#include "runner/data/text/kept_tokenizer.h"
#include "runner/engine/generate/text_generator.h"
#include "runner/engine/job/build_model.h"
#include "runner/engine/job/model_place.h"
#include "runner/engine/job/threads.h"
#include "runner/engine/train/evaluated_weights.h"
#include "runner/engine/verbs/best_of_run.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/files/read.h"
#include "runner/run/names.h"
#include "runner/run/stop.h"
#include "runner/track/short_text.h"
#include "schema/document/count_words.h"
#include "schema/document/json_text.h"
#include "schema/document/regular_file.h"
#include "schema/document/shown_text.h"
#include "schema/document/standard_streams.h"

namespace knead::engine {
namespace {

/// Returns the prompts of a call: the one of --prompt, or the lines of the file of --prompts.
std::vector<std::string> prompts_of(const Call& call) {
  if (call.prompts.empty()) return {call.prompt};
  const std::string text = files::read_text(call.prompts);
  std::vector<std::string> prompts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) prompts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (prompts.empty())
    throw Error(fmt::format("'{}' holds no prompt", call.prompts), "write one on each line");
  return prompts;
}

/// Opens the tokenizer that the recipe names, or the one of the run.
std::shared_ptr<const data::Tokenizer> tokenizer_of(const recipe::Generate& rule,
                                                    const std::filesystem::path& folder) {
  if (rule.tokenizer) return data::open_tokenizer_json(*rule.tokenizer);
  const std::filesystem::path kept = folder / run::kVocabularyFile;
  if (schema::is_there(kept)) return data::open_kept_tokenizer(kept);
  throw Error(
      fmt::format("'{}' has no tokenizer: the data of the run are tokens already", folder.string()),
      "name its tokenizer.json: generate.tokenizer=FILE");
}

/// Returns how many tokens the model sees at once.
std::int64_t context_of(const recipe::Recipe& recipe) {
  const auto context = static_cast<std::int64_t>(data::tokens_in_sample(recipe.data.train));
  if (context > 0) return context;
  throw Error("the run was not trained on text: its data have no tokens",
              "knead predict writes what a model makes of other data", Exit::invalid_recipe);
}

/// Returns a text without what would control a terminal: a model may write any bytes.
std::string harmless(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += schema::shown_text(text.substr(at, end - at));
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

/// Prints what is written, for people or for programs.
class Printer {
 public:
  Printer(bool as_json, bool is_one, const run::Stop& stop)
      : as_json_(as_json), is_one_(is_one), stop_(stop) {}

  /// Begins a text. Nothing is printed before the model has written something: the prompt may be
  /// refused.
  void begin(const std::string& prompt) {
    if (as_json_) return;
    if (!is_one_) pending_ = is_first_ ? "---\n" : "\n---\n";
    is_first_ = false;
    pending_ += prompt;
  }

  bool show(const std::string& piece) {
    if (!as_json_) {
      const std::string all = std::exchange(pending_, "") + piece;
      const std::string text = is_terminal_ ? harmless(all) : all;
      std::fwrite(text.data(), 1, text.size(), stdout);
      std::fflush(stdout);
    }
    return !stop_.is_asked();
  }

  void end(const Generated& done) {
    if (!as_json_) return show("\n"), void();
    const nlohmann::ordered_json line{{"prompt", done.prompt},
                                      {"text", done.text},
                                      {"tokens", done.tokens},
                                      {"stopped", done.is_stopped}};
    fmt::print("{}\n", schema::json_text(line));
    std::fflush(stdout);
  }

 private:
  bool as_json_;
  bool is_one_;
  bool is_terminal_ = isatty(STDOUT_FILENO) == 1;
  const run::Stop& stop_;
  bool is_first_ = true;
  std::string pending_;
};

/// Tells how fast text was written: "200 tokens in 1.3 s, 154 tokens/s".
void say_speed(std::uint64_t tokens, std::chrono::duration<double> took, bool has_cache) {
  fmt::print(stderr, "{} in {}, {} tokens/s{}\n",
             schema::count_words(static_cast<std::int64_t>(tokens), "token"),
             track::short_duration(took.count()),
             track::short_count(static_cast<double>(tokens) / took.count()),
             has_cache ? ", with the model's cache" : "");
}

}  // namespace

Exit generate_run(const Call& call) {
  run::Stop stop;
  const std::vector<std::string> prompts = prompts_of(call);
  recipe::Recipe recipe = recipe_of_run(call).recipe;
  const std::int64_t context = context_of(recipe);
  const auto tokenizer = tokenizer_of(recipe.generate, call.file);
  const checkpoint::Found found = best_of_run(call.file, recipe.evaluate);
  const BuiltModel built = build_model(recipe.model);
  restore_evaluated_weights(*built.model, found.snapshot);
  move_to_device(*built.model);
  choose_threads(recipe, *built.model, static_cast<double>(context));
  NextScores scores(*built.model, recipe, context);
  built.model->train(false);
  parallel::Group alone;
  TextGenerator generator(scores, *tokenizer, recipe.generate, alone);
  Printer printer(call.format == "json", prompts.size() == 1, stop);
  tell(fmt::format("the weights of step {}\n", found.manifest.step));
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t tokens = 0;
  for (std::size_t i = 0; i < prompts.size() && !stop.is_asked(); ++i) {
    printer.begin(prompts[i]);
    const Generated made =
        generator.write(prompts[i], static_cast<std::uint32_t>(i), call.tokens,
                        [&](const std::string& piece) { return printer.show(piece); });
    printer.end(made);
    tokens += made.tokens;
  }
  say_speed(tokens, std::chrono::steady_clock::now() - begin, scores.has_cache());
  return stop.is_asked() ? Exit::stopped : Exit::done;
}

}  // namespace knead::engine
