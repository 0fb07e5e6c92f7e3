#pragma once

#include <filesystem>
#include <string>

#include "runner/data/web/cache.h"

namespace knead::data {

/// A file of the web, and what it must be: 64 hexadecimal digits.
struct WebFile {
  std::string url;
  std::string sha256;
};

/// Where fetched files are kept, from KNEAD_HOME, or HOME. Throws knead::Error where there is
/// neither.
std::filesystem::path web_cache();

/// Where a file lies once it is fetched.
std::filesystem::path place_of(const WebFile& file, const std::filesystem::path& cache);

/// The file on this machine. It is fetched the first time, below `cache`, and only what has the
/// right SHA-256 ever lies under the path that is returned. What broke off goes on where it
/// stopped, now or at the next call; several processes fetch a file once. Proxies are those of
/// https_proxy, http_proxy and no_proxy. Throws knead::Error where it cannot be had, or is another
/// file.
std::filesystem::path fetch(const WebFile& file, const std::filesystem::path& cache,
                            const Say& say);

}  // namespace knead::data
