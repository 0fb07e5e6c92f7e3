#include "schema/problem.h"

#include <algorithm>

#include <fmt/format.h>

namespace knead::schema {
namespace {

std::string counted(std::size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

}  // namespace

void tidy(Problems& problems) {
  std::stable_sort(problems.begin(), problems.end(),
                   [](const Problem& a, const Problem& b) { return a.place < b.place; });
  const auto repeats = [](const Problem& a, const Problem& b) {
    return a.place == b.place && a.code == b.code && a.message == b.message;
  };
  problems.erase(std::unique(problems.begin(), problems.end(), repeats), problems.end());
}

std::size_t count(const Problems& problems, Severity severity) {
  return static_cast<std::size_t>(std::count_if(
      problems.begin(), problems.end(), [&](const Problem& p) { return p.severity == severity; }));
}

std::string count_in_words(const Problems& problems) {
  const std::size_t errors = count(problems, Severity::error);
  const std::size_t warnings = count(problems, Severity::warning);
  std::string words;
  if (errors > 0) words = counted(errors, "error");
  if (errors > 0 && warnings > 0) words += " and ";
  if (warnings > 0) words += counted(warnings, "warning");
  return words;
}

InvalidRecipe::InvalidRecipe(Problems problems)
    : std::runtime_error(count_in_words(problems)), problems_(std::move(problems)) {}

}  // namespace knead::schema
