#pragma once

#include <stdexcept>
#include <string>

namespace knead {

/// The exit codes of all programs; the README documents them.
enum class Exit : int {
  done = 0,
  internal_error = 1,
  invalid_recipe = 2,  // or wrong usage
  not_usable = 3,      // data, model or environment
  expectation_failed = 4,
  training_failed = 5,
  rank_lost = 6,
  resume_refused = 7,
  stopped = 75,      // by a signal or a time limit; can be resumed
  interrupted = 130  // by a second SIGINT
};

/// Reports a failure outside of the recipe's text: what happened, where, and a remedy.
class Error : public std::runtime_error {
 public:
  /// `message` is one sentence; `remedy` tells the user what to do and may be empty.
  explicit Error(const std::string& message, std::string remedy = "", Exit code = Exit::not_usable)
      : std::runtime_error(message), remedy_(std::move(remedy)), code_(code) {}

  const std::string& remedy() const { return remedy_; }
  Exit code() const { return code_; }

 private:
  std::string remedy_;
  Exit code_;
};

}  // namespace knead
