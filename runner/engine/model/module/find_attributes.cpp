#include <algorithm>
#include <set>

#include "runner/engine/model/module/scripted.h"

namespace knead::engine::model {
namespace {

using c10::TypeKind;
using c10::TypePtr;
using torch::jit::Module;

/// The class and name of attributes that a method assigns, as in self.calls += 1.
using Assigned = std::set<std::pair<const c10::Type*, std::string>>;

void collect_assigned(const torch::jit::Block& block, Assigned& assigned) {
  for (const torch::jit::Node* node : block.nodes()) {
    for (const torch::jit::Block* inner : node->blocks()) collect_assigned(*inner, assigned);
    if (node->kind() != c10::prim::SetAttr) continue;
    assigned.emplace(node->input(0)->type().get(), node->s(c10::attr::name));
  }
}

/// Returns whether a checkpoint can hold values of a type.
bool can_keep(const c10::Type& type) {
  switch (type.kind()) {
    case TypeKind::TensorType:
    case TypeKind::IntType:
    case TypeKind::FloatType:
    case TypeKind::BoolType:
    case TypeKind::StringType:
    case TypeKind::NoneType: return true;
    case TypeKind::OptionalType:
    case TypeKind::ListType:
    case TypeKind::DictType:
    case TypeKind::TupleType: break;
    default: return false;
  }
  const auto inner = type.containedTypes();
  return std::all_of(inner.begin(), inner.end(), [](const auto& one) { return can_keep(*one); });
}

/// Returns whether a value of the type can change without an assignment: lists, dicts and tensors,
/// also nested.
bool can_change_in_place(const c10::Type& type) {
  if (type.kind() == TypeKind::ListType || type.kind() == TypeKind::DictType) return true;
  if (type.kind() == TypeKind::TensorType) return true;
  const auto inner = type.containedTypes();
  return std::any_of(inner.begin(), inner.end(),
                     [](const auto& one) { return can_change_in_place(*one); });
}

using Place = Model::Parts::AttributePlace;

/// Finds every attribute of a module and its submodules that can change, except parameters and
/// buffers. A tensor that is neither, and never None, counts as a buffer.
class Places {
 public:
  static std::vector<Place> in(const Module& module) {
    Places places;
    places.find_assigned(module);
    // The second pass visits the same modules: it needs the assignments of all classes.
    places.visited_.clear();
    places.add(module, "");
    return std::move(places.found_);
  }

 private:
  void find_assigned(const Module& module) {
    if (!visited_.insert(module._ivalue().get()).second) return;
    for (torch::jit::Function* method : module.type()->methods()) {
      // The forward of an interpreted model has no graph.
      if (auto* compiled = torch::jit::tryToGraphFunction(*method))
        collect_assigned(*compiled->graph()->block(), assigned_);
    }
    for (const Module& child : module.children()) find_assigned(child);
  }

  void add(const Module& module, const std::string& prefix) {
    if (!visited_.insert(module._ivalue().get()).second) return;
    const auto type = module.type();
    for (std::size_t i = 0; i < type->numAttributes(); ++i) {
      const TypePtr& attribute = type->getAttribute(i);
      const std::string& name = type->getAttributeName(i);
      if (attribute->is_module()) {
        add(module._ivalue()->getSlot(i).toModule(), prefix + name + ".");
        continue;
      }
      if (is_weight(*type, i)) continue;
      const bool changes =
          assigned_.contains({type.get(), name}) || can_change_in_place(*attribute);
      if (!changes || !can_keep(*attribute)) continue;
      found_.push_back({prefix + name, module._ivalue(), i, attribute});
    }
  }

  Assigned assigned_;
  std::set<const void*> visited_;
  std::vector<Place> found_;
};

}  // namespace

std::vector<Place> find_attributes(const Module& module) { return Places::in(module); }

bool is_weight(const c10::ClassType& type, std::size_t slot) {
  return type.getAttribute(slot)->kind() == TypeKind::TensorType || type.is_parameter(slot) ||
         type.is_buffer(slot);
}

}  // namespace knead::engine::model
