#pragma once

#include <string>

#include "runner/peers/outline.h"
#include "runner/peers/peer.h"
#include "schema/document/error.h"
#include "schema/document/node.h"

namespace knead::peers {

/// Returns the trainer of a file, recognised by its keys: it has the trainer's marks, and the
/// trainer knows at least half of its keys. If several trainers fit, the one that knows most keys
/// is chosen. `root` is the map of the whole file.
///
/// Throws knead::Error with Exit::invalid_recipe if there is none. The message names the nearest
/// trainer and the first key that it does not know, or the block that would be a file of its own;
/// the remedy names --from where it would help. The reference has static lifetime.
const Peer& recognised(const schema::Node& root, const std::string& file);

/// Throws knead::Error with Exit::invalid_recipe if the file belongs to a program that knead can
/// name but not import; the message names the program and the key that shows it. Returns otherwise.
void refuse_stranger(const Outline& outline, const std::string& file);

/// Returns the error for a file that cannot be imported, with the trainers that knead imports as
/// remedy. `why` continues the sentence that begins with the file: "is empty" makes "ludwig.yaml is
/// empty".
Error no_file_of_theirs(const std::string& file, const std::string& why);

}  // namespace knead::peers
