// knead VERB …: the program that users start. It does not link LibTorch, so that it starts at once.

#include <csignal>
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "runner/front/line/terminal.h"
#include "runner/front/verb.h"
#include "runner/syntax/refusal.h"
#include "schema/document/problem.h"
#include "schema/document/problem_text.h"
#include "schema/document/standard_streams.h"
#include "schema/document/suggest.h"

namespace knead::front {
namespace {

bool asks_for_help(const std::string& word) { return word == "--help" || word == "-h"; }

Exit dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::fputs(help_text().c_str(), stderr);
    return Exit::invalid_recipe;
  }
  if (asks_for_help(words[0])) return help({});
  if (words[0] == "--version") {
    print("knead " KNEAD_VERSION "\n");
    return Exit::done;
  }
  const Verb& verb = named_verb(words[0]);
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  // Help is looked for before options are parsed, so that it helps beside a wrong option too.
  for (const std::string& word : rest) {
    if (word == "--") break;
    if (!asks_for_help(word)) continue;
    print(help_text(verb));
    return Exit::done;
  }
  return verb.run(parse_arguments(verb.name, verb.options, rest, verb.takes_overrides()));
}

int guarded(const std::vector<std::string>& words) {
  try {
    return static_cast<int>(dispatch(words));
  } catch (const schema::InvalidRecipe& invalid) {
    std::fputs(schema::to_text(invalid.problems(), wants_colour(2)).c_str(), stderr);
    complain(fmt::format("{} in the recipe", schema::count_in_words(invalid.problems())), "");
    return static_cast<int>(Exit::invalid_recipe);
  } catch (const syntax::Refusal& refusal) {
    std::fputs(syntax::to_text(refusal, wants_colour(2)).c_str(), stderr);
    complain("the model cannot be used", "");
    return static_cast<int>(refusal.code());
  } catch (const std::exception& error) {
    return static_cast<int>(complain_of(error));
  }
}

}  // namespace
}  // namespace knead::front

int main(int argc, char** argv) {
  // A closed pipe (`knead render … | head`) is not an error.
  std::signal(SIGPIPE, SIG_IGN);
  // A file that exceeds `ulimit -f` is an error of the write.
  std::signal(SIGXFSZ, SIG_IGN);
  return knead::front::guarded({argv + 1, argv + argc});
}
