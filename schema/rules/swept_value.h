#pragma once

#include <string>

#include "schema/document/node.h"

namespace knead::schema {

/// Returns a text that equal values share, however they are written: 1e-3 is 0.001.
std::string same_text(const Node& value);

/// Returns a swept value for a message, in one line of some 40 characters. A value from the
/// environment is shown as its reference.
std::string shortened(const Node& value);

}  // namespace knead::schema
