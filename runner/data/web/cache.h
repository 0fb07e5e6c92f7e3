#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "runner/files/lock.h"

namespace knead::data {

/// Told of what takes time: "fetching https://…/input.txt (1.1 MB)".
using Say = std::function<void(const std::string&)>;

/// To a person who waits.
void say_on_stderr(const std::string& sentence);

/// A folder below that of what is kept on this machine, which KNEAD_HOME or HOME says. `what` is
/// kept in it, for the message: "fetched". Throws knead::Error where there is neither.
std::filesystem::path cache_folder(const std::string& name, const std::string& what);

/// Takes the lock of a folder of it. What another process makes there is waited for, up to an hour,
/// which is said.
files::Lock lock_cache(const std::filesystem::path& folder, const Say& say);

}  // namespace knead::data
