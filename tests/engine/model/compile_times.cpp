// How long a model takes from its source to a module that trains: compile_times RECIPE KEY=VALUE …
// Prints two lines of milliseconds, the first of a process that has just begun: parsing the source
// and the layers, running __init__ with the parsing, compiling the methods. Of the processor's
// time: other work on the machine does not count.

#include <cstdio>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "runner/engine/device/generators.h"
#include "runner/engine/model/compile/compile.h"
#include "runner/engine/model/python/evaluate.h"
#include "runner/engine/verbs/call.h"
#include "runner/syntax/parse.h"

namespace knead::engine {
namespace {

double milliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void build(const recipe::Recipe& recipe) {
  const model::Request request{*recipe.model.source, recipe.model.class_.value_or(""),
                               recipe.model.args};
  seed_generator(static_cast<std::uint64_t>(recipe.seed));
  const double begin = milliseconds();
  model::Program program;
  const auto object = model::evaluate(request, program);
  const double made = milliseconds();
  const auto model = model::compile(object, program);
  const double compiled = milliseconds();
  for (const auto& file : program.files) syntax::parse(file->file->source);
  const double parsed = milliseconds();
  std::printf("%.3f %.3f %.3f\n", parsed - compiled, made - begin, compiled - made);
}

int measure(const std::vector<std::string>& words) {
  try {
    const Understood understood = understand(read_call(words));
    for (int i = 0; i < 2; ++i) build(understood.recipe);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compile_times: %s\n", error.what());
    return 1;
  }
}

}  // namespace
}  // namespace knead::engine

int main(int argc, char** argv) {
  std::vector<std::string> words{"plan"};
  words.insert(words.end(), argv + 1, argv + argc);
  return knead::engine::measure(words);
}
