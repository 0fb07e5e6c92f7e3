#pragma once

#include <optional>
#include <string>

#include "runner/syntax/tree.h"

namespace knead::front {

/// Describes a call that Python refuses.
struct WrongCall {
  std::string message;  // in the words of Python's TypeError
  std::string hint;     // the remedy
};

/// Returns why Python refuses to make an object with these arguments. std::nullopt if it does not,
/// or if what `*` or `**` brings decides. `name` is the name of the class.
std::optional<WrongCall> wrong_call(const syntax::Call& call, const syntax::Function& init,
                                    const std::string& name);

}  // namespace knead::front
