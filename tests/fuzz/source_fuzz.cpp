// Any bytes through the parser of model source. What it accepts must be a tree whose places lie in
// the text, one within the other; what it refuses, a problem that can be shown.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "runner/syntax/levels.h"
#include "runner/syntax/parse.h"
#include "runner/syntax/refusal.h"
#include "schema/document/problem_text.h"
#include "schema/print/linted.h"

namespace {

using namespace knead;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

void check_body(const syntax::Body& body, syntax::Range around);

void check_try(const syntax::Try& tried, syntax::Range range) {
  if (tried.handlers.empty() && tried.at_the_end.empty()) fail("a try without except and finally");
  check_body(tried.body, range);
  for (const syntax::Except& handler : tried.handlers) {
    if (handler.range.begin < range.begin || handler.range.end > range.end)
      fail("an except outside of its try");
    check_body(handler.body, handler.range);
  }
  check_body(tried.otherwise, range);
  check_body(tried.at_the_end, range);
}

void check_statement(const syntax::Statement& statement, syntax::Range around) {
  const syntax::Range range = statement.range;
  if (range.begin >= range.end) fail("a statement without text");
  if (range.begin < around.begin || range.end > around.end)
    fail("a statement outside of its block");
  if (const auto* one = std::get_if<syntax::If>(&statement.kind)) {
    check_body(one->body, range);
    check_body(one->otherwise, range);
  } else if (const auto* function = std::get_if<syntax::Function>(&statement.kind)) {
    check_body(function->body, range);
    if (function->body.empty()) fail("a function without statements");
  } else if (const auto* tried = std::get_if<syntax::Try>(&statement.kind)) {
    check_try(*tried, range);
  } else if (const auto* value = std::get_if<syntax::ExpressionStatement>(&statement.kind)) {
    const syntax::Expression& expression = value->value;
    if (expression.range.begin < range.begin || expression.range.end > range.end)
      fail("an expression outside of its statement");
    if (expression.levels > syntax::kMostLevels) fail("an expression of too many levels");
  }
}

void check_body(const syntax::Body& body, syntax::Range around) {
  for (const syntax::Statement& statement : body) {
    check_statement(statement, around);
    around.begin = statement.range.end;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto source = std::make_shared<schema::Source>("model.py", "/model.py", text);
  try {
    const auto file = syntax::parse(source);
    check_body(file->body, {0, static_cast<std::uint32_t>(size)});
  } catch (const syntax::Refusal& refusal) {
    const schema::Problem& problem = refusal.problem();
    if (problem.message.empty() || problem.place.line() < 1 || problem.place.column() < 1)
      fail("a refusal without words or place");
    if (problem.place.end > size + 1 || problem.place.begin > size)
      fail("a place outside of the text");
    syntax::to_text(refusal);
    schema::as_json({{"model.py", {problem}}});
  }
  return 0;
}
