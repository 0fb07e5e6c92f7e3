#pragma once

#include <optional>
#include <string>

#include "runner/syntax/tree.h"

namespace knead::front {

/// What is wrong with a call, and what to do about it.
struct WrongCall {
  std::string message;
  std::string hint;
};

/// Why Python would refuse to make an object with these arguments, in its words; nothing where it
/// would not, or where `*` or `**` hides what is given. `name`: of the class.
std::optional<WrongCall> wrong_call(const syntax::Call& call, const syntax::Function& init,
                                    const std::string& name);

}  // namespace knead::front
