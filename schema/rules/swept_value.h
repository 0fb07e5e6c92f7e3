#pragma once

#include <string>

#include "schema/document/node.h"

namespace knead::schema {

/// Returns a swept value for a message, in one line of some 40 characters. A value from the
/// environment is shown as its reference.
std::string shortened(const Node& value);

}  // namespace knead::schema
