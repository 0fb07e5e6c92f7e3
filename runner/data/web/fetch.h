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

/// Returns the path that a file has in the cache after it is fetched: CACHE/SHA256/NAME, with the
/// name that ends the URL, or with the end of a name that is too long for a file. So a file that is
/// found there needs no check, and recipes that name equal content under one name share it. Throws
/// knead::Error as web::parse_address() does.
std::filesystem::path place_of(const WebFile& file, const std::filesystem::path& cache);

/// Returns the path of the file in the cache and fetches it first if necessary; only content with
/// the expected SHA-256 ever gets this path. A cached file costs no connection. An interrupted
/// transfer continues where it stopped, also in a later call: NAME.partial keeps what has come.
/// Ends whatever the server does, as transfer.h says. Of several processes one fetches and the
/// others wait. Uses the proxies of https_proxy, http_proxy and no_proxy. `say`: receives a message
/// when bytes begin to arrive.
///
/// Throws knead::Error if the file cannot be fetched, cannot be written, or has another SHA-256;
/// the content is then removed, since it would not become right by fetching the rest.
std::filesystem::path fetch(const WebFile& file, const std::filesystem::path& cache,
                            const Say& say);

}  // namespace knead::data
