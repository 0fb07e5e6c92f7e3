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

  /// Makes a mistake that Python makes too: `except` of the source catches it as the class `type`,
  /// such as "KeyError". Any other mistake may be a limit of the language of models, for which no
  /// handler was written; `except` does not catch it.
  static Mistake of(std::string type, const std::string& message, std::string remedy = "") {
    Mistake mistake(message, std::move(remedy));
    mistake.type_ = std::move(type);
    return mistake;
  }

  /// Returns the remedy for the user; empty if there is none. what() returns the message.
  const std::string& remedy() const { return remedy_; }
  /// Returns the class of Python's exception; empty if `except` does not catch the mistake.
  const std::string& type() const { return type_; }

 private:
  std::string remedy_;
  std::string type_;
};

}  // namespace knead::engine::model
