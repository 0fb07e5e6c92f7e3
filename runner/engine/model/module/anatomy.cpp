#include "runner/engine/model/module/anatomy.h"

#include <algorithm>

#include <ATen/core/stack.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/custom_operator.h>

#include "runner/engine/model/explain/module_words.h"
#include "runner/engine/model/module/graphs.h"
#include "runner/engine/model/module/module_calls.h"
#include "runner/engine/model/module/scripted.h"

namespace knead::engine::model {
namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Stack;

/// Converts an attribute to a setting; returns std::nullopt for other types.
std::optional<Setting> as_setting(const c10::IValue& value) {
  if (value.isBool()) return Setting(value.toBool());
  if (value.isInt()) return Setting(value.toInt());
  if (value.isDouble()) return Setting(value.toDouble());
  if (value.isIntList()) return Setting(value.toIntVector());
  if (!value.isTuple()) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const c10::IValue& item : value.toTupleRef().elements()) {
    if (!item.isInt()) return std::nullopt;
    numbers.push_back(item.toInt());
  }
  return Setting(std::move(numbers));
}

/// Returns the class and settings that an archive holds: class names, constants and attributes.
ModuleKind kind_of(const Module& module) {
  const auto type = module.type();
  Settings settings;
  const auto add = [&](const std::string& name, const c10::IValue& value) {
    if (auto setting = as_setting(value)) settings.emplace(name, std::move(*setting));
  };
  for (std::size_t i = 0; i < type->numConstants(); ++i)
    add(type->getConstantName(i), type->getConstant(i));
  for (std::size_t i = 0; i < type->numAttributes(); ++i)
    add(type->getAttributeName(i), module._ivalue()->getSlot(i));
  const std::string name = type->name()->name();
  return {name, module_words(name, settings)};
}

/// Returns whether a module has a method forward or a variant of it, such as forward__2.
bool has_forward(const Module& module, const Model::Parts& parts) {
  if (parts.interpreter) return parts.interpreter->has_forward(*module._ivalue());
  const auto& methods = module.type()->methods();
  return std::any_of(methods.begin(), methods.end(), [](const torch::jit::Function* method) {
    return method->name().starts_with("forward");
  });
}

/// The modules of a model, and the index of each module object among them.
struct Anatomy {
  std::vector<ModuleFacts> modules;
  ModulePlaces places;

  void add(const Module& module, const std::string& path, const Model::Parts& parts) {
    const auto known = parts.kinds.find(path);
    ModuleFacts facts{path, known == parts.kinds.end() ? kind_of(module) : known->second, "",
                      has_forward(module, parts)};
    const auto [found, is_new] = places.emplace(module._ivalue().get(), modules.size());
    if (!is_new) facts.same_as = modules[found->second].path;
    modules.push_back(std::move(facts));
    // The submodules of a shared module are listed under its first name only.
    if (!is_new) return;
    const auto type = module.type();
    for (std::size_t i = 0; i < type->numAttributes(); ++i) {
      if (!type->getAttribute(i)->is_module()) continue;
      const std::string name = type->getAttributeName(i);
      add(module._ivalue()->getSlot(i).toModule(), path.empty() ? name : path + "." + name, parts);
    }
  }
};

/// --- watching: the graphs get two more operators at each call of a module. LibTorch resolves
/// operators by name, so their state is global.

struct Watch {
  Watcher* watcher = nullptr;
  ModulePlaces places;
};

Watch& the_watch() {
  static Watch watch;
  return watch;
}

/// Takes the module from the top of the stack and returns its index; std::nullopt if it is not
/// watched.
std::optional<std::size_t> popped_place(Stack& stack) {
  const c10::IValue module = torch::jit::pop(stack);
  const auto found = the_watch().places.find(&module.toObjectRef());
  if (found == the_watch().places.end()) return std::nullopt;
  return found->second;
}

void enter(Stack& stack) {
  if (const auto place = popped_place(stack)) the_watch().watcher->entered(*place);
}

void leave(Stack& stack) {
  const c10::IValue result = torch::jit::pop(stack);
  if (const auto place = popped_place(stack)) the_watch().watcher->left(*place, result);
}

void register_operators() {
  using torch::jit::Operator;
  static const torch::jit::RegisterOperators once(
      {Operator("knead::enter(Any module) -> ()", enter, c10::AliasAnalysisKind::CONSERVATIVE),
       Operator("knead::leave(Any module, Any result) -> ()", leave,
                c10::AliasAnalysisKind::CONSERVATIVE)});
}

/// Inserts the two operators around each module call of a block.
void add_operators(Graph& graph, Block& block) {
  for (Node* node : block.nodes()) {
    for (Block* inner : node->blocks()) add_operators(graph, *inner);
    if (!calls_a_module(*node)) continue;
    graph.create(c10::Symbol::fromQualString("knead::enter"), {node->input(0)}, 0)
        ->insertBefore(node);
    graph.create(c10::Symbol::fromQualString("knead::leave"), {node->input(0), node->output()}, 0)
        ->insertAfter(node);
  }
}

Anatomy anatomy_of(const Model::Parts& parts) {
  Anatomy anatomy;
  anatomy.add(parts.module, "", parts);
  return anatomy;
}

}  // namespace

std::vector<ModuleFacts> Model::modules() const { return anatomy_of(*parts_).modules; }

void Model::watch(Watcher& watcher) {
  register_operators();
  the_watch() = {&watcher, anatomy_of(*parts_).places};
  parts_->watcher = &watcher;
  if (parts_->interpreter) return parts_->interpreter->watch(watcher, the_watch().places);
  for (const auto& graph : graphs_of(*parts_->module._ivalue()->compilation_unit())) {
    add_operators(*graph, *graph->block());
  }
}

}  // namespace knead::engine::model
