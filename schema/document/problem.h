#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "schema/document/source.h"

namespace knead::schema {

enum class Severity { error, warning };

/// One thing that is wrong with a recipe: one mistake of a person is one Problem.
struct Problem {
  std::string code;     // the slug: stable, documented in problem_kinds.h
  Place place;          // where to look; always somewhere in a file or an argument
  std::string message;  // what is wrong, in one clause
  std::string hint;     // what to do about it; empty where the message says all
  Severity severity = Severity::error;
  bool secret = false;  // the line holds a secret: show it without its text
};

using Problems = std::vector<Problem>;

inline constexpr std::size_t kMostProblems = 1000;

/// Sorts by place and drops repetitions (an anchor used twice is one mistake). Of very many
/// problems the first kMostProblems stay, and one that says how many there are besides.
void tidy(Problems& problems);

std::size_t count(const Problems& problems, Severity severity);

/// "2 errors and 1 warning"; empty if there is no problem.
std::string count_in_words(const Problems& problems);

/// A recipe that cannot be used. Carries every problem, sorted, at least one of them an error.
class InvalidRecipe : public std::runtime_error {
 public:
  explicit InvalidRecipe(Problems problems);
  const Problems& problems() const { return problems_; }

 private:
  Problems problems_;
};

}  // namespace knead::schema
