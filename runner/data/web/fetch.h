#pragma once

#include <filesystem>
#include <string>

#include "runner/data/web/cache.h"

namespace knead::data {

/// Names a file on the web and its expected content.
struct WebFile {
  std::string url;
  std::string sha256;  // 64 hexadecimal digits
};

/// Returns the folder of fetched files. Throws knead::Error if neither KNEAD_HOME nor HOME is set.
std::filesystem::path web_cache();

/// Returns the path that a file has in the cache after it is fetched.
std::filesystem::path place_of(const WebFile& file, const std::filesystem::path& cache);

/// Returns the path of the file in the cache and fetches it first if necessary; only content with
/// the expected SHA-256 ever gets this path. An interrupted transfer continues where it stopped,
/// also in a later call. Of several processes one fetches and the others wait. Uses the proxies of
/// https_proxy, http_proxy and no_proxy. Throws knead::Error if the file cannot be fetched or has
/// another SHA-256.
std::filesystem::path fetch(const WebFile& file, const std::filesystem::path& cache,
                            const Say& say);

}  // namespace knead::data
