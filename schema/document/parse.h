#pragma once

#include <memory>
#include <optional>

#include "schema/document/node.h"
#include "schema/document/problem.h"

namespace knead::schema {

/// Limits of every text. Without them, aliases let 430 bytes of YAML expand to a billion nodes.
/// kMostLevels also keeps functions that walk a tree by recursion from exhausting the stack.
inline constexpr std::size_t kMostBytes = 1 << 20;
inline constexpr std::size_t kMostNodes = 50'000;
inline constexpr std::size_t kMostText =
    2 << 20;  // bytes, with repetitions by aliases and environment
inline constexpr std::size_t kMostLevels = 64;

/// Reads YAML 1.2 into a tree whose nodes know their places; aliases and `<<` merges are resolved,
/// and keys are distinct. `offset` is the byte where the YAML begins, for example after the '=' of
/// an argument. Adds all problems to `problems`, and returns std::nullopt if the text cannot be
/// read to its end: at the first error of syntax or the first limit that is exceeded.
///
/// A text of comments or spaces gives a null with `empty`, at `offset`. A problem that does not end
/// the reading (a key written twice, a wrong tag, a leading zero) leaves a tree; a value that has
/// one is `broken`. `${env:…}` stays as written: see expand_environment(). A text from outside must
/// pass check_bytes() first.
std::optional<Node> parse_yaml(const std::shared_ptr<const Source>& source, Problems& problems,
                               std::size_t offset = 0);

/// Checks the bytes of a text before the YAML parser sees them: UTF-8, no NUL or other control
/// character, at most kMostBytes, and not more brackets, commas and quotes than kMostNodes values
/// can use. Returns the first problem. A byte order mark of UTF-8 passes, one of UTF-16 does not.
/// Marks also count inside comments and quotes, because only the parser can tell them apart.
std::optional<Problem> check_bytes(const std::shared_ptr<const Source>& source);

}  // namespace knead::schema
