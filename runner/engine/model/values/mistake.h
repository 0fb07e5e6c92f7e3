#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace knead::engine::model {

/// What is wrong with a value, before it is known where in the source that is. The evaluator turns
/// it into a Refusal at the expression or statement it was dealing with.
class Mistake : public std::runtime_error {
 public:
  /// `message` as Python words it; `remedy` may be empty.
  explicit Mistake(const std::string& message, std::string remedy = "")
      : std::runtime_error(message), remedy_(std::move(remedy)) {}

  const std::string& remedy() const { return remedy_; }

 private:
  std::string remedy_;
};

/// "Did you mean 'name'?", or nothing if no candidate is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace knead::engine::model
