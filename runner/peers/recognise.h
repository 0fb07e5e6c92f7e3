#pragma once

#include <string>

#include "runner/peers/outline.h"
#include "runner/peers/peer.h"
#include "schema/document/error.h"
#include "schema/document/node.h"

namespace knead::peers {

/// Returns the trainer of a file, recognised by its keys. Throws knead::Error if there is none; the
/// message names the nearest trainer and the first key that it does not know.
const Peer& recognised(const schema::Node& root, const std::string& file);

/// Throws knead::Error if the file belongs to a program that knead can name but not import.
void refuse_stranger(const Outline& outline, const std::string& file);

/// Returns the error for a file that cannot be imported: "ludwig.yaml is empty", with the trainers
/// that knead imports.
Error no_file_of_theirs(const std::string& file, const std::string& why);

}  // namespace knead::peers
