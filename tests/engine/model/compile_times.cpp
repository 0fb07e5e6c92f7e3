// How long a model takes from its source to a module that trains: compile_times RECIPE KEY=VALUE …
// Prints two lines, the first of a process that has just begun: milliseconds of parsing the source
// and the layers, of running __init__ with the parsing, of compiling the methods, of making the
// code that runs, and of the operators that __init__ ran; then "compiled" or "interpreted". Of the
// processor's time, except for the operators: other work on the machine does not count.

#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <ATen/record_function.h>

#include "runner/engine/device/generators.h"
#include "runner/engine/model/compile/compile.h"
#include "runner/engine/model/source/interpreted.h"
#include "runner/engine/verbs/call.h"
#include "runner/syntax/parse.h"

namespace knead::engine {
namespace {

double milliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Adds up the time in operators that no other operator calls.
struct OperatorTime : at::ObserverContext {
  using Clock = std::chrono::steady_clock;
  inline static int depth = 0;
  inline static double total = 0;
  Clock::time_point begin = Clock::now();

  static std::unique_ptr<at::ObserverContext> entered(const at::RecordFunction&) {
    ++depth;
    return std::make_unique<OperatorTime>();
  }
  static void left(const at::RecordFunction&, at::ObserverContext* context) {
    const auto begin = static_cast<OperatorTime*>(context)->begin;
    const std::chrono::duration<double, std::milli> time = Clock::now() - begin;
    if (--depth == 0) total += time.count();
  }
};

void build(const recipe::Recipe& recipe) {
  const model::Request request{*recipe.model.source, recipe.model.class_.value_or(""),
                               recipe.model.args};
  seed_generator(static_cast<std::uint64_t>(recipe.seed));
  const double begin = milliseconds();
  OperatorTime::total = 0;
  const auto handle =
      at::addGlobalCallback(at::RecordFunctionCallback(&OperatorTime::entered, &OperatorTime::left)
                                .scopes({at::RecordScope::FUNCTION}));
  auto evaluated = std::make_unique<model::Evaluated>(request);
  at::removeCallback(handle);
  const double made = milliseconds();
  std::unique_ptr<model::Model> model;
  try {
    model = model::compile(evaluated->root, evaluated->program);
  } catch (const syntax::Refusal& refusal) {
    model = model::interpret(std::move(evaluated), refusal);
  }
  const double compiled = milliseconds();
  model->prepare();
  const double prepared = milliseconds();
  for (const auto& source : model->sources()) syntax::parse(source);
  const double parsed = milliseconds();
  std::printf("%.3f %.3f %.3f %.3f %.3f %s\n", parsed - prepared, made - begin, compiled - made,
              prepared - compiled, OperatorTime::total,
              model->is_interpreted() ? "interpreted" : "compiled");
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
