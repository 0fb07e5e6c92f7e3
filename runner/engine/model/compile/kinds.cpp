#include <optional>
#include <set>

#include "runner/engine/model/explain/module_words.h"
#include "runner/engine/model/module/anatomy.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {
namespace {

/// Converts an attribute to a setting; returns std::nullopt for other types.
std::optional<Setting> as_setting(const Value& attribute) {
  const Value value = plain(attribute);
  if (const auto* flag = std::get_if<bool>(&value)) return Setting(*flag);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return Setting(*number);
  if (const auto* number = std::get_if<double>(&value)) return Setting(*number);
  const auto* tuple = std::get_if<std::shared_ptr<Tuple>>(&value);
  if (!tuple) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const Value& item : (*tuple)->items) {
    const auto* number = std::get_if<std::int64_t>(&item);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return Setting(std::move(numbers));
}

ModuleKind kind_of(const Object& object) {
  Settings settings;
  for (const auto& [name, value] : object.attributes) {
    if (auto setting = as_setting(value)) settings.emplace(name, std::move(*setting));
  }
  return {object.type->name, module_words(object.type->name, settings)};
}

/// Adds a module and its submodules; a shared module is listed under each path, its submodules
/// once.
void add(const Object& object, const std::string& path, std::set<const Object*>& seen,
         std::map<std::string, ModuleKind>& kinds) {
  // The path is listed before the check, because a shared module has a kind under each name.
  kinds.emplace(path, kind_of(object));
  if (!seen.insert(&object).second) return;
  for (const auto& [name, child] : object.modules) {
    if (child) add(*child, path.empty() ? name : path + "." + name, seen, kinds);
  }
}

}  // namespace

std::map<std::string, ModuleKind> kinds_of(const Object& root) {
  std::map<std::string, ModuleKind> kinds;
  std::set<const Object*> seen;
  add(root, "", seen, kinds);
  return kinds;
}

}  // namespace knead::engine::model
