#pragma once

#include <stdexcept>
#include <string>

namespace knead::engine::model {

/// Reports an error about a value whose place in the source is not known yet. The evaluator
/// converts it to a Refusal at the expression or statement that it runs.
class Mistake : public std::runtime_error {
 public:
  /// `message` is worded as in Python; `remedy` may be empty.
  explicit Mistake(const std::string& message, std::string remedy = "")
      : std::runtime_error(message), remedy_(std::move(remedy)) {}

  const std::string& remedy() const { return remedy_; }

 private:
  std::string remedy_;
};

}  // namespace knead::engine::model
