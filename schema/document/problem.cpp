#include "schema/document/problem.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "schema/document/count_words.h"
#include "schema/document/shown_text.h"

namespace knead::schema {
namespace {

/// Escapes control characters: an escape sequence in a recipe ("\\e") must not reach the terminal,
/// and a line end must not split the message.
std::string printable(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

constexpr std::size_t kMostOfMessage = 1000;  // of a message, and of a hint

bool is_error(const Problem& problem) { return problem.severity == Severity::error; }

/// Leaves kMostProblems problems and one that counts the others, which is an error if one of those
/// is. Errors come before warnings: one that is not shown would refuse a recipe without a reason.
void leave_out_many(Problems& problems) {
  if (problems.size() <= kMostProblems) return;
  const std::size_t errors = count(problems, Severity::error);
  std::size_t errors_left = std::min(errors, kMostProblems);
  std::size_t warnings_left = kMostProblems - errors_left;
  Problems shown;
  for (Problem& problem : problems) {
    std::size_t& left = is_error(problem) ? errors_left : warnings_left;
    if (left == 0) continue;
    --left;
    shown.push_back(std::move(problem));
  }
  const std::size_t more = problems.size() - shown.size();
  shown.push_back({"too-many-problems", shown.back().place,
                   fmt::format("{} more problems are not shown", more), "mend these first",
                   errors > kMostProblems ? Severity::error : Severity::warning});
  problems = std::move(shown);
}

}  // namespace

void tidy(Problems& problems) {
  for (Problem& problem : problems) {
    problem.message = printable(shortened(std::move(problem.message), kMostOfMessage));
    problem.hint = printable(shortened(std::move(problem.hint), kMostOfMessage));
  }
  std::stable_sort(problems.begin(), problems.end(),
                   [](const Problem& a, const Problem& b) { return a.place < b.place; });
  const auto repeats = [](const Problem& a, const Problem& b) {
    return a.place == b.place && a.code == b.code && a.message == b.message;
  };
  problems.erase(std::unique(problems.begin(), problems.end(), repeats), problems.end());
  // A warning at the place of an error says nothing new.
  std::set<std::pair<const Source*, std::size_t>> wrong;
  for (const Problem& problem : problems) {
    if (is_error(problem)) wrong.emplace(problem.place.source.get(), problem.place.begin);
  }
  std::erase_if(problems, [&](const Problem& problem) {
    return !is_error(problem) && wrong.contains({problem.place.source.get(), problem.place.begin});
  });
  leave_out_many(problems);
}

std::size_t count(const Problems& problems, Severity severity) {
  return static_cast<std::size_t>(std::count_if(
      problems.begin(), problems.end(), [&](const Problem& p) { return p.severity == severity; }));
}

std::string count_in_words(const Problems& problems) {
  const std::size_t errors = count(problems, Severity::error);
  const std::size_t warnings = count(problems, Severity::warning);
  std::string words;
  if (errors > 0) words = count_words(errors, "error");
  if (errors > 0 && warnings > 0) words += " and ";
  if (warnings > 0) words += count_words(warnings, "warning");
  return words;
}

InvalidRecipe::InvalidRecipe(Problems problems)
    : std::runtime_error(count_in_words(problems)), problems_(std::move(problems)) {}

}  // namespace knead::schema
