#pragma once

#include <string>

namespace knead::engine::model {

/// What is wrong, in one sentence, and what to do about it.
struct Explanation {
  std::string message;
  std::string remedy;
};

}  // namespace knead::engine::model
