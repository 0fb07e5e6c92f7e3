#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "recipe/data.h"

namespace knead::data {

// A process that forks others may keep the content of files that it has read: the others find it in
// memory that they share with it. A process that never calls keep_sets() keeps nothing.

/// Reads the sets of a recipe and keeps what was read from tables, arrays, texts and files of
/// tokens, in place of what earlier calls kept and this recipe does not use, whose memory is freed.
/// read_sets() then takes it, here and in processes forked later, unless a file has changed. Starts
/// no thread. Throws knead::Error as read_sets(), and std::bad_optional_access for files that were
/// not fetched; what was kept is still right then.
void keep_sets(const recipe::Data& data, std::uint64_t seed);

/// Says what was read: from equal keys and unchanged files comes the same.
struct KeptKey {
  /// Names the kind of object; each name stands for one type.
  std::string what;
  recipe::DataSet keys;
  std::vector<std::filesystem::path> files;  // all that determine it
};

/// Returns what is kept for a key if no file of it has changed since; otherwise calls `read`, and
/// keeps the result during keep_sets().
std::shared_ptr<const void> kept(const KeptKey& key,
                                 const std::function<std::shared_ptr<const void>()>& read);

}  // namespace knead::data
