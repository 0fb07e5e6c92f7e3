#pragma once

#include <string_view>

namespace knead::engine::model {

/// Returns whether compiled methods may contain this operator of TorchScript's language, which
/// LibTorch's dispatcher does not have: "len", "__getitem__". All overloads are allowed.
bool is_of_language(std::string_view name);

/// Returns whether compiled methods may contain this primitive of TorchScript: "If",
/// "ListConstruct".
bool is_primitive(std::string_view name);

}  // namespace knead::engine::model
