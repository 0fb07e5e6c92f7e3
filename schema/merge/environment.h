#pragma once

#include <functional>
#include <optional>
#include <string>

#include "schema/document/node.h"
#include "schema/document/problem.h"

namespace knead::schema {

/// Returns the value of an environment variable, or std::nullopt if it is not set. A variable that
/// is set to nothing gives an empty text.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// Returns the environment of this process. Each call of the result reads it anew, and must not run
/// while another thread changes the environment (getenv(3)).
Environment process_environment();

/// Replaces `${env:NAME}` and `${env:NAME:-default}` in every scalar of a tree. The result gets its
/// type as unquoted text would, even if the reference is in quotes, which YAML requires inside { };
/// where a key takes text, validation makes it text. `$${` becomes `${`. Any other `${NAME}` stays
/// and gives a warning. A missing variable without a default is an error.
///
/// A default after `:-` also replaces a variable that is set to nothing, as in a shell. Values are
/// not expanded again, must pass check_bytes() as a file must, and add at most kMostText bytes to
/// the tree. The text before the expansion is kept in `Node::reference`. A node with an error is
/// `broken`. Keys are not expanded.
void expand_environment(Node& node, const Environment& environment, Problems& problems);

/// Takes back what expand_environment() did to a value, so that it can be expanded once more, as
/// part of another tree: references are written out again, and `${` of any other text becomes
/// `$${`.
void restore_references(Node& node);

/// Returns whether a text is exactly one `${env:NAME}` without a default, the only form in which a
/// recipe may hold a secret: a default would write the secret down.
bool is_reference(std::string_view text);

}  // namespace knead::schema
