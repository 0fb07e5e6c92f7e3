#pragma once

#include <functional>
#include <memory>
#include <string>

#include "schema/document/source.h"

namespace knead::peers {

/// Reads a file that a configuration names, such as that of DeepSpeed. Returns null if there is no
/// such file.
using ReadBeside = std::function<std::shared_ptr<const schema::Source>(const std::string& path)>;

/// Translates a configuration file of another trainer into the text of a recipe. Every key of the
/// file appears, in a comment if it has no counterpart, and values that only the user knows are
/// left open: `knead lint` reports these lines until they are filled in. Where the file leaves out
/// a key whose default differs from knead's, the other trainer's default is written. Texts under
/// keys that look like secrets are not shown. `source` holds the text; other files that it names
/// are read by `read_beside`, without which their keys have no counterpart.
///
/// `from` is the name of a known trainer (Peer::name), whose keys the file is then assumed to have;
/// if empty, the keys decide. `processes` is the number of processes of the original run; if 0, the
/// file decides, or it is 1.
///
/// Throws schema::InvalidRecipe if the file is not YAML or JSON. Throws knead::Error with
/// Exit::invalid_recipe if the file is empty, is not a map, has more than 2000 keys or is written
/// in another language such as TOML, and, for an empty `from`, if it is a recipe already or no
/// known trainer uses such a file.
std::string import_file(const std::shared_ptr<const schema::Source>& source,
                        const std::string& from, int processes, const ReadBeside& read_beside = {});

}  // namespace knead::peers
