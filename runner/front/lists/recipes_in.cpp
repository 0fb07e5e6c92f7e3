#include "runner/front/lists/recipes_in.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "runner/files/read.h"
#include "runner/run/overview.h"
#include "schema/document/error.h"

namespace knead::front {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargest = 1 << 20;  // bytes; recipes have a few kB

/// Returns whether a line of a text begins with a key.
bool has_key(std::string_view text, std::string_view key) {
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (line.starts_with(key)) {
      line.remove_prefix(key.size());
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
      if (line.starts_with(':')) return true;
    }
    if (text.find('\n', at) == text.npos) break;
  }
  return false;
}

bool is_recipe(const fs::path& file) {
  std::error_code failure;
  if ((file.extension() != ".yaml" && file.extension() != ".yml") ||
      !fs::is_regular_file(file, failure) || fs::file_size(file, failure) > kLargest)
    return false;
  const std::string text = files::read_text_or_nothing(file);
  return has_key(text, "version") && (has_key(text, "model") || has_key(text, "extends"));
}

/// Returns whether the recipes below a folder are not a person's: those of a run are copies.
bool is_left_out(const fs::path& folder) {
  return folder.filename().string().starts_with('.') || run::is_run(folder);
}

}  // namespace

std::vector<fs::path> recipes_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failure;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, options, failure), end; !failure && at != end;
       at.increment(failure)) {
    std::error_code unread;
    if (at->is_directory(unread)) {
      if (is_left_out(at->path())) at.disable_recursion_pending();
    } else if (is_recipe(at->path())) {
      found.push_back(at->path());
    }
  }
  if (failure) throw Error(fmt::format("cannot read {}: {}", folder.string(), failure.message()));
  if (found.empty())
    throw Error(fmt::format("no recipe is in {} or below", folder.string()),
                "a recipe is a file *.yaml with 'version' and 'model' or 'extends'");
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace knead::front
