#include "runner/engine/model/python/module_tree.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "runner/engine/model/values/mistake.h"

namespace knead::engine::model {
namespace {

constexpr int kMostLevels = 200;
constexpr std::int64_t kMostNames = 100'000;

/// Visits each module once.
class Tree {
 public:
  struct Size {
    int levels = 1;
    std::int64_t names = 1;
    bool is_open = true;  // the visit has not returned
  };

  Size visit(const Object& module, int level, const std::string& path) {
    if (level > kMostLevels) too_deep();
    const auto [found, is_new] = sizes_.emplace(&module, Size{});
    if (!is_new && found->second.is_open) contains_itself(module, path);
    if (!is_new) return found->second;
    Size size;
    for (const auto& [name, child] : module.modules) {
      if (!child) continue;
      const Size part = visit(*child, level + 1, path + "." + name);
      if (level + part.levels > kMostLevels) too_deep();
      size.levels = std::max(size.levels, part.levels + 1);
      size.names += part.names;
      if (size.names > kMostNames) too_many();
    }
    size.is_open = false;
    return sizes_[&module] = size;
  }

 private:
  [[noreturn]] static void contains_itself(const Object& module, const std::string& path) {
    throw Mistake(fmt::format("this {} contains itself: it is {} as well", module.type->name, path),
                  "take that name out, or keep it in a list, whose modules are not registered");
  }
  [[noreturn]] static void too_deep() {
    throw Mistake(fmt::format("modules nest more than {} deep", kMostLevels),
                  "put them side by side: nn.Sequential(*layers)");
  }
  [[noreturn]] static void too_many() {
    throw Mistake(fmt::format("the modules of this model have more than {} names", kMostNames),
                  "a module that is used several times has a name for each way to it");
  }

  std::unordered_map<const Object*, Size> sizes_;
};

}  // namespace

void expect_tree(const std::shared_ptr<Object>& root) { Tree().visit(*root, 1, "self"); }

}  // namespace knead::engine::model
