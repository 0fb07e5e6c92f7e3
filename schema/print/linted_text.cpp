#include <fmt/format.h>

#include "schema/document/problem_text.h"
#include "schema/print/junit.h"
#include "schema/print/linted.h"
#include "schema/print/workflow_command.h"

namespace knead::schema {
namespace {

std::string annotation(const Linted& linted, const Problem& problem) {
  std::vector<std::pair<std::string, std::string>> properties{{"file", file_of(linted, problem)}};
  if (problem.place.source->is_file()) {
    const int column = problem.place.column();
    properties.emplace_back("line", fmt::format("{}", problem.place.line()));
    properties.emplace_back("col", fmt::format("{}", column));
    properties.emplace_back("endColumn", fmt::format("{}", column + problem.place.length()));
  }
  properties.emplace_back("title", problem.code);
  return workflow_command(problem.severity == Severity::error ? "error" : "warning", properties,
                          in_one_text(problem, "\n"));
}

JunitCase test_case(const Linted& linted, bool fails) {
  JunitCase out{.group = "knead lint", .name = linted.file, .text = to_text(linted.problems)};
  if (!fails) return out;
  out.result = JunitCase::Result::failure;
  out.message = count_in_words(linted.problems);
  out.type = linted.problems[0].code;
  return out;
}

}  // namespace

bool fails_lint(const Problems& problems, bool strict) {
  return strict ? !problems.empty() : count(problems, Severity::error) > 0;
}

const std::string& file_of(const Linted& linted, const Problem& problem) {
  return problem.place.source->is_file() ? problem.place.source->name() : linted.file;
}

std::string in_one_text(const Problem& problem, const std::string& between) {
  const Source& source = *problem.place.source;
  std::string text = problem.message;
  if (!source.is_file() && !problem.secret) text += fmt::format(" (in {})", source.text());
  return problem.hint.empty() ? text : text + between + problem.hint;
}

std::string as_github(const std::vector<Linted>& all) {
  std::string out;
  for (const Linted& linted : all) {
    for (const Problem& problem : linted.problems) out += annotation(linted, problem);
  }
  return out;
}

std::string as_junit(const std::vector<Linted>& all, bool strict) {
  std::vector<JunitCase> cases;
  for (const Linted& linted : all)
    cases.push_back(test_case(linted, fails_lint(linted.problems, strict)));
  return junit_xml("knead lint", cases);
}

}  // namespace knead::schema
