#pragma once

#include <string>
#include <string_view>

#include "schema/document/node.h"

namespace knead::schema {

/// A text as YAML: plain where every reader (YAML 1.1 ones too) takes it for the same text, else in
/// double quotes.
/// `${` is doubled to `$${`, so that it is not replaced when it is read again.
std::string text_as_yaml(std::string_view text);

/// A scalar in its canonical form: 0.001 for 1e-3, 31 for 0x1F.
std::string scalar_as_yaml(const Node& node);

/// A tree in one line: "{type: adamw, betas: [0.9, 0.999]}".
std::string flow_as_yaml(const Node& node);

}  // namespace knead::schema
