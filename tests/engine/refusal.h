#pragma once

#include <string>

#include "schema/document/error.h"

namespace knead::engine {

/// What a function throws: "message | remedy | exit code".
template <class Function>
std::string refusal(const Function& function) {
  try {
    function();
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.remedy() + " | " +
           std::to_string(static_cast<int>(error.code()));
  }
  return "nothing was thrown";
}

}  // namespace knead::engine
