#pragma once

#include <stdexcept>
#include <string>

namespace knead {

/// The exit codes of all programs; the README documents them. Scripts and cluster jobs depend on
/// the numbers, for example to submit a job again after 75.
enum class Exit : int {
  done = 0,
  internal_error = 1,
  invalid_recipe = 2,  // or wrong usage
  not_usable = 3,      // data, model or environment
  expectation_failed = 4,
  training_failed = 5,
  rank_lost = 6,
  resume_refused = 7,
  stopped = 75,        // by a signal or a time limit; can be resumed
  lost_another = 106,  // of a rank to knead, which says which other rank was lost, and exits with 6
  interrupted = 130    // by a second SIGINT
};

/// Reports a failure outside of the recipe's text: what happened, where, and a remedy. A mistake in
/// the recipe is an InvalidRecipe instead. The `main` of each program prints both texts and exits
/// with the code.
class Error : public std::runtime_error {
 public:
  /// `message` is one sentence; `remedy` tells the user what to do and may be empty.
  explicit Error(const std::string& message, std::string remedy = "", Exit code = Exit::not_usable)
      : std::runtime_error(message), remedy_(std::move(remedy)), code_(code) {}

  /// Returns what the user can do about the failure; empty if nothing is known. what() does not
  /// contain it.
  const std::string& remedy() const { return remedy_; }
  /// Returns the exit code of a program that ends because of this error.
  Exit code() const { return code_; }

 private:
  std::string remedy_;
  Exit code_;
};

}  // namespace knead
