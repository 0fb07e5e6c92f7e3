#pragma once

#include <string>
#include <vector>

#include "schema/document/error.h"
#include "schema/document/problem.h"

namespace knead::syntax {

/// A model's source that cannot be used, and the place that a person has to look at. Its text is
/// shown like the problems of a recipe: file, line, column, the line itself, a mark, what to do.
class Refusal : public Error {
 public:
  /// `code`: a slug of problem_kinds.h (model-syntax, model-refused, model-failed).
  Refusal(std::string code, schema::Place place, std::string message, std::string remedy = "");

  const schema::Problem& problem() const { return problem_; }

  /// The calls between the place and where it went wrong inside a layer, outermost first.
  std::vector<schema::Place> calls;

 private:
  schema::Problem problem_;
};

/// The whole message for a terminal: the problem, then the chain of calls.
std::string to_text(const Refusal& refusal, bool colour = false);

}  // namespace knead::syntax
