#include "runner/data/web/fetch.h"

#include <fmt/format.h>

#include "runner/data/web/transfer.h"
#include "runner/files/sha256.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"

namespace knead::data {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 150;  // file systems take 255 bytes, ".partial" included

void publish(const WebFile& file, PartialFile& partial, const fs::path& path) {
  partial.close();
  // The digest is computed from the disk and not while receiving, since earlier calls may have
  // received a part.
  const std::string found = files::sha256_of_file(partial.path());
  if (found == file.sha256) return fs::rename(partial.path(), path);
  fs::remove(partial.path());
  throw Error(
      fmt::format("{} is another file than the recipe means: its SHA-256 is {}", file.url, found),
      "look at what changed; if the new file is meant, write its SHA-256 in the recipe");
}

}  // namespace

fs::path web_cache() { return cache_folder("web", "fetched"); }

fs::path place_of(const WebFile& file, const fs::path& cache) {
  std::string name = web::parse_address(file.url).name;
  if (name.size() > kLongestName) name = "file" + name.substr(name.size() - kLongestName + 4);
  return cache / file.sha256 / name;
}

fs::path fetch(const WebFile& file, const fs::path& cache, const Say& say) {
  const fs::path path = place_of(file, cache);
  const fs::path folder = path.parent_path();
  if (schema::is_there(path)) return path;
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error(fmt::format("cannot make {}: {}", folder.string(), failure.message()),
                "KNEAD_HOME names another folder for what is fetched");
  const files::Lock lock = lock_cache(folder, say);
  if (schema::is_there(path)) return path;  // another process has fetched it meanwhile
  PartialFile partial(path.string() + ".partial");
  Transfer(file.url, partial, say).receive_all();
  publish(file, partial, path);
  return path;
}

}  // namespace knead::data
