#include <set>
#include <unordered_map>

#include <ATen/core/stack.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/custom_operator.h>

#include "runner/engine/model/module/function_node.h"
#include "runner/engine/model/module/graphs.h"
#include "runner/engine/model/module/module_calls.h"
#include "runner/engine/model/module/scripted.h"
#include "runner/engine/model/module/segment.h"
#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Stack;

/// The modules with activation checkpointing, by object. LibTorch resolves operators by name, so
/// their state is global.
std::unordered_map<const void*, std::shared_ptr<const RepeatedModule>>& the_repeated() {
  static std::unordered_map<const void*, std::shared_ptr<const RepeatedModule>> modules;
  return modules;
}

/// Runs a module call. It is a plain call without gradients, inside another repeated call, and for
/// an object that only shares its class with a repeated one.
void call(const std::string& name, std::size_t count, Stack& stack) {
  Stack arguments(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end());
  torch::jit::drop(stack, count);
  const auto& object = arguments.front().toObjectRef();
  torch::jit::Function& function = object.type()->getMethod(name);
  const Method method = [&function](Stack given) {
    function.run(given);
    return torch::jit::pop(given);
  };
  const auto found = the_repeated().find(&object);
  const bool is_plain =
      found == the_repeated().end() || !c10::GradMode::is_enabled() || is_within_repeated();
  stack.push_back(is_plain ? method(std::move(arguments))
                           : run_repeatably(found->second, method, std::move(arguments)));
}

void register_operator() {
  const auto operation = [](const Node* node) -> torch::jit::Operation {
    return [name = node->s(c10::attr::name), count = node->inputs().size()](Stack& stack) {
      call(name, count, stack);
    };
  };
  static const torch::jit::RegisterOperators once({torch::jit::Operator(
      "knead::call(Any module, ...) -> Any", operation, c10::AliasAnalysisKind::CONSERVATIVE)});
}

/// Changes the node kind of module calls of some classes in a block and its nested blocks.
void change_calls(Graph& graph, Block& block, const std::set<const c10::Type*>& types,
                  c10::Symbol kind) {
  for (auto at = block.nodes().begin(); at != block.nodes().end();) {
    // The iterator moves first, because the node may be destroyed.
    Node* node = *at++;
    for (Block* inner : node->blocks()) change_calls(graph, *inner, types, kind);
    if (!calls_a_module(*node) || node->kind() == kind) continue;
    if (types.count(node->input(0)->type().get()) == 0) continue;
    Node* other = graph.create(kind, node->inputs(), 1)->insertBefore(node);
    other->copyAttributes(*node)->copyMetadata(node);
    other->output()->copyMetadata(node->output());
    node->output()->replaceAllUsesWith(other->output());
    node->destroy();
  }
}

void change_calls(const Module& module, const std::set<const c10::Type*>& types, c10::Symbol kind) {
  for (const auto& graph : graphs_of(*module._ivalue()->compilation_unit())) {
    change_calls(*graph, *graph->block(), types, kind);
  }
}

/// Returns the submodule at a dotted path.
Module module_at(const Module& root, const std::string& path) {
  Module module = root;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    module = module.attr(path.substr(begin, dot - begin)).toModule();
    begin = dot + 1;
  }
  return module;
}

/// Returns the buffers and attributes that a module and its submodules may change.
std::vector<ModuleSlot> slots_in(const Module& module, const Model::Parts& parts) {
  std::set<const void*> objects;
  for (const Module& each : module.modules()) objects.insert(each._ivalue().get());
  std::vector<ModuleSlot> slots;
  for (const auto& [object, slot] : parts.buffer_slots) {
    if (objects.count(object.get()) > 0) slots.push_back({object, slot});
  }
  for (const auto& place : parts.attributes) {
    if (objects.count(place.object.get()) > 0) slots.push_back({place.object, place.slot});
  }
  return slots;
}

/// Throws the reason why a model is not compiled, as the reason why something cannot be done.
[[noreturn]] void throw_needs_compiler(const Model::Parts& parts, const std::string& what) {
  const schema::Problem& reason = parts.interpreter->reason().problem();
  throw syntax::Refusal(
      reason.code, reason.place,
      fmt::format("{}, and this one cannot be compiled: {}", what, reason.message), reason.hint);
}

/// Returns the classes of all repeated modules.
std::set<const c10::Type*> types_of(const Module& root) {
  std::set<const c10::Type*> types;
  for (const Module& each : root.modules()) {
    if (the_repeated().count(each._ivalue().get()) > 0) types.insert(each.type().get());
  }
  return types;
}

}  // namespace

c10::Symbol repeated_call() {
  static const c10::Symbol symbol = c10::Symbol::fromQualString("knead::call");
  return symbol;
}

bool calls_a_module(const Node& node) {
  if (node.kind() != kPlainCall && node.kind() != repeated_call()) return false;
  const auto type = node.input(0)->type()->cast<c10::ClassType>();
  const bool is_forward = node.s(c10::attr::name).starts_with("forward");
  return type && type->is_module() && is_forward;
}

void Model::recompute(const std::vector<std::string>& paths) {
  if (parts_->interpreter && !paths.empty()) {
    throw_needs_compiler(*parts_, "activation_checkpointing computes compiled modules again");
  }
  register_operator();
  // Only one model of a process can use activation checkpointing.
  the_repeated().clear();
  for (const std::string& path : paths) {
    const Module module = module_at(parts_->module, path);
    the_repeated().emplace(module._ivalue().get(), std::make_shared<RepeatedModule>(RepeatedModule{
                                                       path, slots_in(module, *parts_)}));
  }
  parts_->recomputes = true;
  change_calls(parts_->module, types_of(parts_->module), repeated_call());
}

void Model::check_archive() const {
  if (parts_->interpreter)
    throw_needs_compiler(*parts_, "a TorchScript archive is a compiled model");
  const std::string function = applied_function(parts_->module);
  if (function.empty()) return;
  throw Error(fmt::format("a TorchScript archive cannot hold '{}': only knead computes the "
                          "gradient of a torch.autograd.Function",
                          function),
              "Export the weights: to: safetensors.");
}

// An archive must not contain knead::call, which only this process defines, so plain calls are
// written. Functions that already ran execute their own optimised graphs and do not change.
void Model::save(std::ostream& out) const {
  check_archive();
  if (!parts_->recomputes) return parts_->module.save(out);
  const auto types = types_of(parts_->module);
  change_calls(parts_->module, types, kPlainCall);
  parts_->module.save(out);
  change_calls(parts_->module, types, repeated_call());
}

}  // namespace knead::engine::model
