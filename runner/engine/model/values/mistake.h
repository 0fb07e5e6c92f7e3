#pragma once

#include <stdexcept>
#include <string>

namespace knead::engine::model {

/// Reports an error about a value whose place in the source is not known yet. Built-in functions
/// and operations on values throw it. Evaluator::at_place() converts it to a syntax::Refusal at the
/// expression or statement that it runs, and the user sees that one.
class Mistake : public std::runtime_error {
 public:
  /// `message` is worded as in Python; `remedy` may be empty.
  explicit Mistake(const std::string& message, std::string remedy = "")
      : std::runtime_error(message), remedy_(std::move(remedy)) {}

  /// Returns the remedy for the user; empty if there is none. what() returns the message.
  const std::string& remedy() const { return remedy_; }

 private:
  std::string remedy_;
};

}  // namespace knead::engine::model
