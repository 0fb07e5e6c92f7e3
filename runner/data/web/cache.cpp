#include "runner/data/web/cache.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/document/standard_streams.h"

namespace knead::data {

namespace fs = std::filesystem;

void say_on_stderr(const std::string& sentence) { tell(fmt::format("{}\n", sentence)); }

fs::path cache_folder(const std::string& name, const std::string& what) {
  if (const char* home = std::getenv("KNEAD_HOME"); home && *home) return fs::path(home) / name;
  const char* home = std::getenv("HOME");
  if (home && *home) return fs::path(home) / ".cache" / "knead" / name;
  throw Error(fmt::format("there is no folder for what is {}: HOME is not set", what),
              "KNEAD_HOME names a folder for it");
}

files::Lock lock_cache(const fs::path& folder, const Say& say) {
  try {
    if (const files::LockState state = files::look_at_lock(folder); state.is_held)
      say(fmt::format("waiting for {}, which writes to {}",
                      state.holder.empty() ? "another process" : state.holder, folder.string()));
    // The holder may be fetching or unpacking a data set, which takes long on a slow network or
    // disk.
    return files::Lock(folder, std::chrono::hours(1));
  } catch (const Error& error) {
    throw Error(error.what(), "wait for it or stop it; KNEAD_HOME names another folder for it");
  }
}

}  // namespace knead::data
