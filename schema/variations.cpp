#include "schema/variations.h"

#include <mutex>
#include <unordered_map>

#include "schema/check.h"
#include "schema/merge/overrides.h"

namespace knead::schema {
namespace {

/// Answers of the file system to the question whether a file exists, for several threads.
struct Existing {
  std::mutex mutex;
  std::unordered_map<std::string, bool> answers;
};

/// Splits a dotted path. Problems of all its steps are shown at `place`.
std::vector<Step> steps_of(std::string_view path, const Place& place) {
  std::vector<Step> steps;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    steps.push_back({std::string(path.substr(begin, dot - begin)), place});
    begin = dot + 1;
  }
  return steps;
}

}  // namespace

Node varied(Node tree, std::span<const Assignment> assignments, Problems& problems) {
  for (const Assignment& one : assignments) {
    Node value = one.value;
    // The environment is expanded with the whole tree.
    restore_references(value);
    const std::vector<Step> path = steps_of(one.key, one.place ? one.place : value.place);
    set_value(tree, recipe_type(), path, std::move(value), problems);
  }
  return tree;
}

World remembering(World world) {
  const auto existing = std::make_shared<Existing>();
  const auto ask = std::move(world.files.exists);
  world.files.exists = [existing, ask](const std::filesystem::path& path) {
    const std::lock_guard lock(existing->mutex);
    const auto known = existing->answers.find(path.native());
    if (known != existing->answers.end()) return known->second;
    return existing->answers[path.native()] = ask(path);
  };
  return world;
}

Variations::Variations(const std::string& file, const std::vector<std::string>& overrides,
                       const World& world)
    : world_(remembering(world)), base_(load(file, overrides, world_)) {
  Problems none;
  tree_ = *read_tree(file, overrides, world_, none);
  tree_.erase("sweep");
  std::erase_if(tree_.entries, [](const Entry& entry) { return entry.key.starts_with("x-"); });
}

Problems Variations::problems(std::span<const Assignment> assignments) const {
  Problems problems;
  check_tree(varied(tree_, assignments, problems), world_, problems);
  tidy(problems);
  return problems;
}

Understood Variations::with(std::span<const Assignment> assignments) const {
  Problems problems;
  Checked checked = check_tree(varied(tree_, assignments, problems), world_, problems);
  return understand(std::move(checked), std::move(problems));
}

}  // namespace knead::schema
