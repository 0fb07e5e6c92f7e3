#include "runner/engine/model/python/words/qualified_name.h"

namespace knead::engine::model {

std::string qualified_name(const Function& function, const Class* of) {
  const auto owner = function.owner.lock();
  if (!owner) return function.name;
  std::string name = owner->name;
  // The last public class before the private base in the order is the layer that the user
  // constructs.
  if (of && name.starts_with('_')) {
    for (const auto& base : of->order) {
      if (base == owner) break;
      if (!base->name.starts_with('_')) name = base->name;
    }
  }
  return name + "." + function.name;
}

}  // namespace knead::engine::model
