#pragma once

#include <string>

#include "runner/peers/outline.h"
#include "runner/peers/peer.h"
#include "schema/document/error.h"
#include "schema/document/node.h"

namespace knead::peers {

/// Whose file it is, by the keys that only they have. Throws knead::Error with the first key that
/// nobody has where it is none of theirs.
const Peer& recognised(const schema::Node& root, const std::string& file);

/// Throws where a file is of a kind that knead can name and does not read.
void refuse_stranger(const Outline& outline, const std::string& file);

/// "ludwig.yaml is empty", with what knead reads.
Error no_file_of_theirs(const std::string& file, const std::string& why);

}  // namespace knead::peers
