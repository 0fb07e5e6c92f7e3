#pragma once

#include <string>
#include <vector>

#include "schema/document/error.h"
#include "schema/document/problem.h"

namespace knead::syntax {

/// An error in a model's source, with its place. It is shown like a problem of a recipe: file,
/// line, column, the source line, a mark and a remedy. what() is the place and the message in one
/// line; the exit code is Exit::not_usable. It shares ownership of the text, so it outlives the
/// tree.
class Refusal : public Error {
 public:
  /// `code` is a slug of problem_kinds.cpp: model-syntax, model-refused or model-failed. `message`
  /// is one sentence without the place; `remedy` may be empty.
  Refusal(std::string code, schema::Place place, std::string message, std::string remedy = "");

  /// Returns code, place, message and remedy, for the printers of problems.
  const schema::Problem& problem() const { return problem_; }

  /// The calls between the place and the failure inside a layer, outermost first. Empty for an
  /// error of the text itself; the evaluator fills it in.
  std::vector<schema::Place> calls;

  /// The places that need the value of the statement in which the place is, if that statement
  /// failed before its value was asked for; the first one is nearest to it.
  std::vector<schema::Place> needed;

 private:
  schema::Problem problem_;
};

/// Formats a refusal for a terminal: the problem, then the chain of calls and the places that need
/// the value, a line for each.
/// `colour` adds escape sequences of a terminal. Every line ends with a line feed.
std::string to_text(const Refusal& refusal, bool colour = false);

}  // namespace knead::syntax
