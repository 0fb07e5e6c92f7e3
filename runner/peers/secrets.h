#pragma once

#include <string_view>

#include "schema/document/node.h"

namespace knead::peers {

/// Returns whether a value of another trainer's file may be a secret or contain one, as its key and
/// the keys inside it say: hub_token, api_key, password. A secret must not appear in a recipe or in
/// a message. `path` is the key with those around it, "hub.token". A boolean is none:
/// `hub_private_repo: true` and `use_auth_token: false` are switches.
bool holds_secret(std::string_view path, const schema::Node& value);

}  // namespace knead::peers
