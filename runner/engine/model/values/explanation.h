#pragma once

#include <string>

namespace knead::engine::model {

/// Explains an error to the user: one sentence about the cause, and a remedy.
struct Explanation {
  std::string message;
  std::string remedy;  // may be empty
};

}  // namespace knead::engine::model
