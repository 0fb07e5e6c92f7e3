#include "runner/engine/model/source/modules.h"

#include <algorithm>

#include <fmt/format.h>
#include <torch/csrc/jit/api/module.h>

#include "runner/engine/model/compile/module_class.h"
#include "runner/engine/model/module/scripted.h"
#include "runner/engine/model/source/values.h"
#include "runner/engine/model/values/values.h"
#include "runner/syntax/walk.h"
#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

/// Collects the names of attributes that a file reads. A text counts as well, because getattr() may
/// receive it.
struct ReadNames {
  std::set<std::string>& names;

  void operator()(const syntax::Expression& one) {
    if (const auto* attribute = std::get_if<syntax::Attribute>(&one.kind)) {
      names.insert(attribute->name);
    } else if (const auto* text = std::get_if<syntax::String>(&one.kind)) {
      names.insert(text->value);
    }
    syntax::for_each_child(one, *this);
  }

  void operator()(const syntax::Statement& one) {
    const auto* assign = std::get_if<syntax::Assign>(&one.kind);
    if (assign == nullptr) return syntax::for_each_child(one, *this);
    for (const syntax::Expression& target : assign->targets) {
      // `self.x = …` reads self only.
      const auto* attribute = std::get_if<syntax::Attribute>(&target.kind);
      (*this)(attribute ? *attribute->value : target);
    }
    (*this)(assign->value);
  }
};

std::set<std::string> names_read_in(const Program& program) {
  std::set<std::string> names;
  ReadNames visit{names};
  for (const auto& file : program.files) {
    for (const syntax::Statement& statement : file->file->body) visit(statement);
  }
  return names;
}

void collect_classes(const Object& object, std::set<const Object*>& seen,
                     std::set<const Class*>& classes) {
  if (!seen.insert(&object).second) return;
  classes.insert(object.type.get());
  for (const auto& [name, child] : object.modules) {
    if (child) collect_classes(*child, seen, classes);
  }
}

std::set<const Class*> classes_below(const Object& root) {
  std::set<const Object*> seen;
  std::set<const Class*> classes;
  collect_classes(root, seen, classes);
  return classes;
}

/// Returns the tensor of a parameter, a buffer or an attribute; null if there is none.
at::Tensor* tensor_in(Object& object, const std::string& name) {
  for (auto* slots : {&object.parameters, &object.buffers}) {
    for (Slot& slot : *slots) {
      if (slot.name == name) return slot.tensor ? &*slot.tensor : nullptr;
    }
  }
  Value* value = find_named(object.attributes, name);
  return value ? std::get_if<at::Tensor>(value) : nullptr;
}

std::string dotted(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

}  // namespace

Modules::Modules(std::shared_ptr<Object> root, const torch::jit::Module& module,
                 const Program& program)
    : root_(std::move(root)), changes_(classes_below(*root_)), read_(names_read_in(program)) {
  add("", root_, module);
  for (const Pair& pair : pairs_) {
    for (const auto& [name, value] : pair.object->attributes) {
      if (is_state(*pair.object, name, value) && !to_kept(value))
        left_out_.emplace(std::pair(pair.object.get(), name), constant_text(value));
    }
  }
}

void Modules::add(const std::string& path, const std::shared_ptr<Object>& object,
                  const torch::jit::Module& module) {
  c10::ivalue::Object* const other = module._ivalue().get();
  if (!objects_.emplace(other, object.get()).second) return;
  modules_.emplace(object.get(), other);
  const auto type = module.type();
  pairs_.push_back({path, object, other, type->getAttributeSlot("training")});
  for (std::size_t i = 0; i < type->numAttributes(); ++i) {
    const std::string& name = type->getAttributeName(i);
    if (!is_weight(*type, i) || tensor_in(*object, name) == nullptr) continue;
    ties_.push_back({object.get(), name, other, i});
    tied_.emplace(object.get(), name);
  }
  for (const auto& [name, child] : object->modules) {
    if (child) add(dotted(path, name), child, module.attr(name).toModule());
  }
}

bool Modules::is_tied(const Object& object, const std::string& name) const {
  return tied_.contains({&object, name});
}

const c10::ivalue::Object* Modules::module_of(const Object& object) const {
  const auto found = modules_.find(&object);
  return found == modules_.end() ? nullptr : found->second;
}

void Modules::read_tensors() {
  for (const Pair& pair : pairs_) {
    pair.object->training = pair.module->getSlot(pair.training).toBool();
  }
  for (const Tie& tie : ties_) {
    const c10::IValue& now = tie.module->getSlot(tie.slot);
    at::Tensor* there = tensor_in(*tie.object, tie.name);
    if (there && now.isTensor() && !there->is_same(now.toTensor())) *there = now.toTensor();
  }
}

void Modules::write_tensors() {
  for (const Pair& pair : pairs_) {
    pair.module->setSlot(pair.training, pair.object->training);
  }
  for (const Tie& tie : ties_) {
    const at::Tensor* there = tensor_in(*tie.object, tie.name);
    if (there == nullptr) continue;
    const c10::IValue& before = tie.module->getSlot(tie.slot);
    if (!before.isTensor() || !there->is_same(before.toTensor()))
      tie.module->setSlot(tie.slot, *there);
  }
}

c10::Device Modules::device() const {
  for (const Tie& tie : ties_) {
    const c10::IValue& tensor = tie.module->getSlot(tie.slot);
    if (tensor.isTensor()) return tensor.toTensor().device();
  }
  return c10::kCPU;
}

bool Modules::holds_parameters_of(const Object& module) const {
  const auto is_held = [&](const Slot& slot) {
    return !slot.tensor || std::any_of(ties_.begin(), ties_.end(), [&](const Tie& tie) {
      const c10::IValue& held = tie.module->getSlot(tie.slot);
      return held.isTensor() && held.toTensor().is_same(*slot.tensor);
    });
  };
  return std::all_of(module.parameters.begin(), module.parameters.end(), is_held) &&
         std::all_of(module.modules.begin(), module.modules.end(), [&](const auto& one) {
           return !one.second || module_of(*one.second) || holds_parameters_of(*one.second);
         });
}

bool Modules::is_state(const Object& object, const std::string& name, const Value& value) const {
  const bool changes = is_tensor(value) || as<List>(value) || as<Dict>(value) ||
                       changes_.changes(*object.type, name);
  return changes && read_.contains(name) && !is_tied(object, name);
}

std::vector<Interpreter::Attribute> Modules::attributes() const {
  std::vector<Interpreter::Attribute> all;
  for (const Pair& pair : pairs_) {
    for (const auto& [name, value] : pair.object->attributes) {
      if (!is_state(*pair.object, name, value)) continue;
      if (auto kept = to_kept(value)) {
        all.emplace_back(dotted(pair.path, name), std::move(*kept));
        continue;
      }
      const auto first = left_out_.find({pair.object.get(), name});
      if (first != left_out_.end() && first->second == constant_text(value)) continue;
      throw Error(fmt::format("the model's '{}' is {} now, which a checkpoint cannot hold",
                              dotted(pair.path, name), type_name(value)),
                  "keep tensors, numbers, texts, and lists and dicts of one type of them");
    }
  }
  return all;
}

void Modules::set_attributes(const std::vector<Interpreter::Attribute>& attributes) {
  const auto given = [&](const std::string& name) {
    return std::any_of(attributes.begin(), attributes.end(),
                       [&](const auto& one) { return one.first == name; });
  };
  for (const Pair& pair : pairs_) {
    std::erase_if(pair.object->attributes, [&](const auto& one) {
      return is_state(*pair.object, one.first, one.second) &&
             !left_out_.contains({pair.object.get(), one.first}) &&
             !given(dotted(pair.path, one.first));
    });
    for (const auto& [name, value] : attributes) {
      const std::size_t dot = name.rfind('.');
      const std::string path = dot == name.npos ? "" : name.substr(0, dot);
      if (path != pair.path) continue;
      const std::string own = dot == name.npos ? name : name.substr(dot + 1);
      Value* there = find_named(pair.object->attributes, own);
      Value next = to_python(value);
      // The device of a run is that of the recipe, which may be another one now.
      if (auto* kept = std::get_if<Device>(&next); kept && !kept->device.is_cpu())
        kept->device = device();
      const auto* list = there ? as<List>(*there) : nullptr;
      const auto* items = as<List>(next);
      // Other attributes may refer to the same list.
      if (list && items) {
        (*list)->items = (*items)->items;
      } else if (there) {
        *there = std::move(next);
      } else {
        pair.object->attributes.emplace_back(own, std::move(next));
      }
    }
  }
}

}  // namespace knead::engine::model
