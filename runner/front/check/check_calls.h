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

/// Returns why Python refuses to make an object with these arguments: "Linear.__init__() missing 1
/// required positional argument: 'out_features'". `init` is the __init__ that the call reaches,
/// with the object as first parameter; `name` is the name of the class. std::nullopt if Python does
/// not refuse, if what `*` or `**` brings decides, or if `init` has a decorator or no parameter.
/// Pure.
std::optional<WrongCall> wrong_call(const syntax::Call& call, const syntax::Function& init,
                                    const std::string& name);

}  // namespace knead::front
