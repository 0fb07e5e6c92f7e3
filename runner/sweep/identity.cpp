#include "runner/sweep/identity.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <regex>
#include <set>
#include <utility>
#include <vector>

#include <glob.h>

#include <fmt/format.h>

#include "runner/files/digest.h"
#include "runner/files/read.h"
#include "runner/files/sample_digest.h"
#include "schema/document/yaml_text.h"
#include "schema/table/catalog.h"
#include "schema/table/table.h"
#include "schema/trajectory.h"

namespace knead::sweep {
namespace {

namespace fs = std::filesystem;

/// Returns the files beside a Python file that it may import, and that these may import. Takes any
/// line that looks like an import for one: a file too many only makes an id more careful.
std::set<fs::path> with_imports(const fs::path& source) {
  static const std::regex import(R"((?:^|\n)\s*(?:from|import)\s+\.?([A-Za-z_0-9]+))");
  std::set<fs::path> found{source};
  std::vector<fs::path> open{source};
  while (!open.empty()) {
    const std::string text = files::read_text_or_nothing(open.back());
    open.pop_back();
    for (std::sregex_iterator match(text.begin(), text.end(), import), end; match != end; ++match) {
      const fs::path module = source.parent_path() / ((*match)[1].str() + ".py");
      std::error_code absent;
      if (fs::exists(module, absent) && found.insert(module).second) open.push_back(module);
    }
  }
  return found;
}

/// Returns the names and sizes of all files below a folder, sorted.
std::string listing(const fs::path& folder) {
  std::vector<std::string> lines;
  std::error_code failure;
  for (const fs::directory_entry& each : fs::recursive_directory_iterator(folder, failure)) {
    std::error_code unread;
    if (each.is_regular_file(unread))
      lines.push_back(fmt::format("{} {}", each.path().lexically_relative(folder).string(),
                                  each.file_size(unread)));
  }
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, "\n"));
}

/// Returns the files of a pattern, sorted; `{a..b}`, which glob(3) does not know, counts as '*'.
std::vector<fs::path> matches(const std::string& pattern) {
  static const std::regex range(R"(\{[0-9]+\.\.[0-9]+\})");
  glob_t found{};
  std::vector<fs::path> paths;
  if (glob(std::regex_replace(pattern, range, "*").c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return paths;
}

std::string content_of_file(const fs::path& path) {
  std::error_code unread;
  if (fs::is_directory(path, unread)) return listing(path);
  if (!fs::is_regular_file(path, unread)) return "absent";
  try {
    if (path.extension() != ".py") return files::sample_digest(path);
    std::string text;
    for (const fs::path& each : with_imports(path))
      text += fmt::format("{} {}\n", each.filename().string(), files::sample_digest(each));
    return text;
  } catch (const std::exception&) {
    return "unreadable";  // the trial itself says so when it begins
  }
}

bool is_path(const schema::Type* type) { return type && type->format == schema::Format::path; }

}  // namespace

std::string Identity::content_of(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  const auto [known, is_new] = contents_.try_emplace(path);
  if (!is_new) return known->second;
  std::error_code absent;
  if (fs::exists(path, absent)) {
    known->second = content_of_file(path);
  } else {
    for (const fs::path& each : matches(path))
      known->second += fmt::format("{} {}\n", each.filename().string(), content_of_file(each));
  }
  return known->second;
}

namespace {

/// Takes a value that is no block and no list, its key, and whether it is a path.
using Take = std::function<void(const std::string& key, const schema::Node& value, bool is_path)>;

void for_each_scalar(const schema::Node& node, const schema::Type* type, const std::string& path,
                     const Take& take) {
  if (node.is_map()) {
    const schema::Type* block = schema::block_of(type, node);
    for (const schema::Entry& entry : node.entries)
      for_each_scalar(entry.value, block ? schema::type_of_child(*block, entry.key) : nullptr,
                      path.empty() ? entry.key : path + "." + entry.key, take);
  } else if (node.is_list()) {
    for (const schema::Node& item : node.items)
      for_each_scalar(item, type ? type->items : nullptr, path, take);
  } else {
    take(path, node, is_path(type) && !node.is_null());
  }
}

/// Returns whether a key that a resumed run may change decides on what a trial is judged by.
bool is_judged_by(const std::string& key) {
  return key.starts_with("early_stopping.") || key == "train.until";
}

/// Returns whether a swept key is in a trajectory, itself or by a key below it.
bool is_in(const schema::Trajectory& trajectory, const std::string& key) {
  return std::any_of(trajectory.begin(), trajectory.end(), [&](const auto& each) {
    return each.first == key || each.first.starts_with(key + ".");
  });
}

}  // namespace

std::string Identity::id_of(const schema::Node& recipe,
                            std::span<const schema::Assignment> assignments) {
  const schema::Trajectory trajectory = schema::trajectory(recipe);
  std::string text = schema::to_text(trajectory);
  for (const auto& [key, value, where] : assignments) {
    const bool is_file = is_path(schema::type_at(schema::recipe_type(), key));
    if (!is_file && !is_in(trajectory, key))
      text += fmt::format("{}: {}\n", key, schema::flow_as_yaml(value));
  }
  const Take add = [&](const std::string& key, const schema::Node& value, bool is_path) {
    if (is_path && key != "output") text += fmt::format("{}: {}\n", key, content_of(value.text));
    // A resumed run may get other ones, a trial not: they decide on its result.
    if (!is_path && is_judged_by(key))
      text += fmt::format("{}: {}\n", key, schema::scalar_as_yaml(value));
  };
  for_each_scalar(recipe, &schema::recipe_type(), "", add);
  return files::digest(text).substr(0, 16);
}

}  // namespace knead::sweep
