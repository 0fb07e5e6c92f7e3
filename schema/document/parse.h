#pragma once

#include <memory>
#include <optional>

#include "schema/document/node.h"
#include "schema/document/problem.h"

namespace knead::schema {

/// The limits of a text, whoever wrote it: an alias bomb of 430 bytes would expand to a billion
/// nodes.
inline constexpr std::size_t kMostBytes = 1 << 20;
inline constexpr std::size_t kMostNodes = 50'000;
inline constexpr std::size_t kMostText = 2 << 20;  // with what aliases and the environment repeat
inline constexpr std::size_t kMostLevels = 64;

/// Reads YAML 1.2 into a tree whose nodes know their places: aliases and `<<` merges are resolved,
/// keys are distinct. `offset`: where in the source the YAML begins (an argument's value stands
/// after its '='). Adds what is wrong to `problems`; returns nothing where the text cannot be read
/// to its end.
std::optional<Node> parse_yaml(const std::shared_ptr<const Source>& source, Problems& problems,
                               std::size_t offset = 0);

/// What is wrong with the bytes of a text before YAML is asked: not UTF-8, NUL or another control
/// character, too long.
std::optional<Problem> check_bytes(const std::shared_ptr<const Source>& source);

}  // namespace knead::schema
