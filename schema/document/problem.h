#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "schema/document/source.h"

namespace knead::schema {

/// An error makes a recipe unusable; a warning does not, unless `knead lint --strict` counts it as
/// an error.
enum class Severity { error, warning };

/// Describes one mistake in a recipe. One mistake of the user gives one Problem. `message` and
/// `hint` may hold text of the recipe with control characters; tidy() makes them safe for a
/// terminal.
struct Problem {
  std::string code;     // stable slug; problem_kinds.cpp documents all
  Place place;          // always inside a file or an argument
  std::string message;  // one clause: what is wrong
  std::string hint;     // what to do; empty if the message is enough
  Severity severity = Severity::error;
  bool secret = false;  // the line holds a secret, so its text is not shown
};

/// Problems in the order found; tidy() puts them into the order shown.
using Problems = std::vector<Problem>;

/// Limits how many problems of a recipe are shown.
inline constexpr std::size_t kMostProblems = 1000;

/// Sorts problems by place, shortens and escapes their texts, and drops duplicates (an anchor used
/// twice gives the same problem twice) and warnings at the place of an error. Keeps kMostProblems,
/// errors before warnings, and adds one problem with the number of the others, which is an error if
/// one of the others is; a second call would count this one among the problems. A text of more than
/// 1000 bytes is shortened(). Problems of equal place keep their order.
void tidy(Problems& problems);

/// Counts the problems of one severity.
std::size_t count(const Problems& problems, Severity severity);

/// Returns "2 errors and 1 warning", or an empty text without problems.
std::string count_in_words(const Problems& problems);

/// Thrown for a recipe with errors. Carries all problems, sorted, warnings included. what() is only
/// their number ("2 errors and 1 warning"); to_text() formats the problems themselves.
class InvalidRecipe : public std::runtime_error {
 public:
  explicit InvalidRecipe(Problems problems);
  const Problems& problems() const { return problems_; }

 private:
  Problems problems_;
};

}  // namespace knead::schema
