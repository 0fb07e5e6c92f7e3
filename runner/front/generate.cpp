#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "runner/front/engine.h"
#include "runner/front/verb.h"
#include "runner/run/kept_recipe.h"
#include "runner/run/names.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"

namespace knead::front {
namespace {

constexpr std::uint64_t kMostTokens = 1'000'000;

/// Throws knead::Error unless the word is a number of tokens.
void expect_tokens(const std::string& word) {
  std::uint64_t tokens = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), tokens);
  const bool is_number = failed == std::errc() && end == word.data() + word.size();
  if (!is_number || tokens == 0 || tokens > kMostTokens)
    throw Error(fmt::format("--tokens is {}, and not a number from 1 to 1,000,000", word),
                "for example --tokens 200", Exit::invalid_recipe);
}

}  // namespace

Exit generate(const Arguments& arguments) {
  const std::string example = "for example: " + find_verb("generate")->example;
  if (arguments.files.size() != 1)
    throw Error("'generate' takes the folder of a run", example, Exit::invalid_recipe);
  if (arguments.has("prompt") == arguments.has("prompts"))
    throw Error("'generate' needs --prompt or --prompts, one of them", example,
                Exit::invalid_recipe);
  const launch::HeldSignals signals;
  const std::string tokens = arguments.get("tokens", "200");
  expect_tokens(tokens);
  const std::string what = arguments.has("prompt") ? "prompt" : "prompts";
  std::vector<std::string> words{"generate",
                                 fmt::format("--{}={}", what, arguments.get(what, "")),
                                 "--tokens=" + tokens,
                                 "--format=" + arguments.get("format", "text"),
                                 "--",
                                 arguments.files[0]};
  words.insert(words.end(), arguments.overrides.begin(), arguments.overrides.end());
  const auto resolved = std::filesystem::path(arguments.files[0]) / run::kResolvedFile;
  // Mistakes are told before the engine starts; without a resolved recipe it tells what is missing.
  if (schema::is_there(resolved))
    schema::load(resolved.string(), run::without_secrets(arguments.overrides),
                 schema::this_world());
  return run_engine(words, signals);
}

}  // namespace knead::front
