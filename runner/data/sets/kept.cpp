#include "runner/data/sets/kept.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <malloc.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "runner/data/sets/sets.h"
#include "runner/files/open_file.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

/// Identifies the content of files without reading them.
struct Stamps {
  std::vector<std::string> of_files;
  bool is_certain = true;  // no file changed so recently that another change may not show
};

/// Returns std::nullopt if a file cannot be opened.
std::optional<Stamps> stamps_of(const std::vector<std::filesystem::path>& paths) try {
  Stamps stamps;
  for (const auto& path : paths) {
    const files::OpenFile file(path);
    struct stat facts {};
    fstat(file.descriptor(), &facts);  // the stamp asks too, and reports a failure
    stamps.of_files.push_back(fmt::format("device {}, {}", facts.st_dev, file.stamp()));
    if (file.is_young()) stamps.is_certain = false;
  }
  return stamps;
} catch (const Error&) {
  return std::nullopt;
}

struct Kept {
  KeptKey key;
  Stamps stamps;  // from before it was read
  std::shared_ptr<const void> object;
  bool is_used = false;  // by the recipe of the present keep_sets()
};

/// Belongs to the process: a fork copies it, and nothing else leads from the process that serves
/// calls to the sets of a call.
std::vector<Kept> all_kept;
bool is_keeping = false;  // during keep_sets()

bool is_same(const KeptKey& one, const KeptKey& other) {
  return one.what == other.what && one.files == other.files && one.keys == other.keys;
}

/// Returns whether an object may stand for files that have these stamps now.
bool is_current(const Kept& kept, const Stamps& now) {
  if (kept.stamps.of_files != now.of_files) return false;
  // While it keeps, a process makes sure. A call that follows at once relies on that.
  return !is_keeping || kept.stamps.is_certain;
}

/// Lets kept() keep what it reads, and in the end frees what was not used meanwhile.
class Keeping {
 public:
  Keeping() {
    for (Kept& each : all_kept) each.is_used = false;
    is_keeping = true;
  }
  ~Keeping() {
    is_keeping = false;
    const auto unused = std::erase_if(all_kept, [](const Kept& each) { return !each.is_used; });
    if (unused > 0) malloc_trim(0);  // malloc is set to keep memory, which no call would use
  }
  Keeping(const Keeping&) = delete;
  Keeping& operator=(const Keeping&) = delete;
};

}  // namespace

void keep_sets(const recipe::Data& data, std::uint64_t seed) {
  const Keeping keeping;
  read_sets(data, seed);
}

std::shared_ptr<const void> kept(const KeptKey& key,
                                 const std::function<std::shared_ptr<const void>()>& read) {
  if (all_kept.empty() && !is_keeping) return read();
  std::optional<Stamps> now = stamps_of(key.files);
  if (!now) return read();  // says what is wrong with the file in its own words
  const auto known = std::find_if(all_kept.begin(), all_kept.end(),
                                  [&](const Kept& each) { return is_same(each.key, key); });
  if (known != all_kept.end() && is_current(*known, *now)) {
    known->is_used = true;
    return known->object;
  }
  if (known != all_kept.end()) all_kept.erase(known);  // before its successor needs memory
  auto object = read();
  if (is_keeping) all_kept.push_back({key, *std::move(now), object, /*is_used=*/true});
  return object;
}

}  // namespace knead::data
