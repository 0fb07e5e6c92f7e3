#pragma once

#include <functional>
#include <optional>
#include <string>

#include "schema/document/node.h"
#include "schema/document/problem.h"

namespace knead::schema {

/// The value of an environment variable, if it is set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The variables of this process.
Environment process_environment();

/// Replaces `${env:NAME}` and `${env:NAME:-default}` in every scalar of a tree. The result is typed
/// like a written scalar, quoted or not (inside { } the quotes are YAML's wish); where a key takes
/// text, it is text. `$${` stands for
/// `${`. Nothing else is replaced: `${NAME}` is a warning.
void expand_environment(Node& node, const Environment& environment, Problems& problems);

/// Whether a text is one `${env:NAME}` and nothing else: all that a secret may be.
bool is_reference(std::string_view text);

}  // namespace knead::schema
