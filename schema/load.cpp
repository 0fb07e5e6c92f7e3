#include "schema/load.h"

#include <system_error>

#include "schema/check.h"
#include "schema/document/error.h"
#include "schema/sweep_values.h"

namespace knead::schema {
namespace {

Checked check(const std::string& file, const std::vector<std::string>& overrides,
              const World& world, Problems& problems) {
  std::optional<Node> tree = read_tree(file, overrides, world, problems);
  if (!tree) return {};
  if (!tree->find("sweep")) return check_tree(std::move(*tree), world, problems);
  Checked checked = check_tree(*tree, world, problems);
  check_sweep_values(*tree, checked, world, problems);
  return checked;
}

}  // namespace

World this_world() {
  std::error_code failure;
  const std::filesystem::path home = std::filesystem::current_path(failure);
  if (failure) throw Error("the current directory is gone", "change to a folder that exists");
  return {disk(), process_environment(), home};
}

Problems lint(const std::string& file, const std::vector<std::string>& overrides,
              const World& world) {
  Problems problems;
  check(file, overrides, world, problems);
  tidy(problems);
  return problems;
}

Understood load(const std::string& file, const std::vector<std::string>& overrides,
                const World& world) {
  Problems problems;
  Checked checked = check(file, overrides, world, problems);
  return understand(std::move(checked), std::move(problems));
}

Checked read_as_far_as_possible(const std::string& file, const std::vector<std::string>& overrides,
                                const World& world, Problems& problems) {
  return check(file, overrides, world, problems);
}

}  // namespace knead::schema
