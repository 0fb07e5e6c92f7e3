#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "runner/files/lock.h"

namespace knead::data {

/// Receives a message about work that takes time, without a line end: "fetching https://…/input.txt
/// (1.1 MB)".
using Say = std::function<void(const std::string&)>;

/// Writes a message to stderr as a line. Stdout stays free for results.
void say_on_stderr(const std::string& sentence);

/// Returns the folder of a cache on this machine: $KNEAD_HOME/NAME, or $HOME/.cache/knead/NAME.
/// Does not make the folder. An empty variable counts as unset. `what`: the cached things, for the
/// message: "fetched". Throws knead::Error if neither variable is set.
std::filesystem::path cache_folder(const std::string& name, const std::string& what);

/// Takes the lock of a folder of a cache, which must exist; the lock is held as long as the result
/// lives. Waits up to an hour for another process that holds it, and reports the wait to `say`.
/// Throws knead::Error if the lock stays held, or cannot be read or taken.
files::Lock lock_cache(const std::filesystem::path& folder, const Say& say);

}  // namespace knead::data
