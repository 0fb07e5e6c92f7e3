#pragma once

#include <string>

namespace knead::engine::model {

/// Explains an error to the user: one sentence about the cause, and a remedy. Both are plain text
/// for one line of output, without a full stop at the end.
struct Explanation {
  /// Names what is wrong, in terms of the user's source.
  std::string message;
  /// Says what to write instead; empty if no remedy is known.
  std::string remedy;
};

}  // namespace knead::engine::model
