#pragma once

#include <string>
#include <vector>

#include "schema/document/error.h"
#include "schema/document/problem.h"

namespace knead::syntax {

/// An error in a model's source, with its place. It is shown like a problem of a recipe: file,
/// line, column, the source line, a mark and a remedy.
class Refusal : public Error {
 public:
  /// `code` is a slug of problem_kinds.cpp: model-syntax, model-refused or model-failed.
  Refusal(std::string code, schema::Place place, std::string message, std::string remedy = "");

  const schema::Problem& problem() const { return problem_; }

  /// The calls between the place and the failure inside a layer, outermost first.
  std::vector<schema::Place> calls;

 private:
  schema::Problem problem_;
};

/// Formats a refusal for a terminal: the problem, then the chain of calls.
std::string to_text(const Refusal& refusal, bool colour = false);

}  // namespace knead::syntax
