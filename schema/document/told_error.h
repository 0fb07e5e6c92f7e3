#pragma once

#include <exception>
#include <optional>

#include "schema/document/error.h"

namespace knead::schema {

/// Returns an exception of the standard library as an Error that a person can act on, if it tells
/// of the machine or its files: no memory is left, or a path cannot be used. Returns std::nullopt
/// for all others, which are mistakes in knead. For the `main` of a program.
std::optional<Error> told_error(const std::exception& failure);

}  // namespace knead::schema
