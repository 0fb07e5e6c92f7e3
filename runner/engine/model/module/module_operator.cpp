#include "runner/engine/model/module/module_operator.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include <ATen/core/stack.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/custom_operator.h>

#include "runner/engine/model/module/graphs.h"
#include "runner/engine/model/module/inlined.h"
#include "runner/engine/model/module/module_calls.h"
#include "runner/engine/model/module/unit_calls.h"
#include "runner/syntax/refusal.h"

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

/// Runs a module call. It is not repeatable without gradients, inside another repeated call, and
/// for an object that only shares its class with a repeated one.
void call(const std::string& name, std::size_t count, Stack& stack) {
  Stack arguments(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end());
  torch::jit::drop(stack, count);
  const auto& object = arguments.front().toObjectRef();
  torch::jit::Function& function = object.type()->getMethod(name);
  const Method method = [&function](Stack given) {
    kept_inlined(function).run(given);
    return torch::jit::pop(given);
  };
  const auto found = the_repeated().find(&object);
  const bool is_plain =
      found == the_repeated().end() || !c10::GradMode::is_enabled() || is_within_repeated();
  const Compute compute = [&](Stack given) {
    return is_plain ? method(std::move(given))
                    : run_repeatably(found->second, method, std::move(given));
  };
  const auto unit = unit_of(&object);
  stack.push_back(unit ? call_unit(*unit, compute, std::move(arguments))
                       : compute(std::move(arguments)));
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

/// Returns whether a node is a call of a method of a module, plain or by the operator.
bool calls_a_method(const Node& node) {
  if (node.kind() != kPlainCall && node.kind() != repeated_call()) return false;
  const auto type = node.input(0)->type()->cast<c10::ClassType>();
  return type && type->is_module();
}

/// Changes the node kind of module calls of some classes in a block and its nested blocks.
void change_calls(Graph& graph, Block& block, const std::set<const c10::Type*>& types,
                  c10::Symbol kind) {
  for (auto at = block.nodes().begin(); at != block.nodes().end();) {
    // The iterator moves first, because the node may be destroyed.
    Node* node = *at++;
    for (Block* inner : node->blocks()) change_calls(graph, *inner, types, kind);
    if (node->kind() == kind || !calls_a_method(*node)) continue;
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

/// Returns the classes of all repeated modules and units.
std::set<const c10::Type*> types_of(const Module& root) {
  std::set<const c10::Type*> types;
  for (const Module& each : root.modules()) {
    const void* const object = each._ivalue().get();
    if (the_repeated().count(object) > 0 || unit_of(object)) types.insert(each.type().get());
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

void set_repeated(const void* object, std::shared_ptr<const RepeatedModule> module) {
  the_repeated().emplace(object, std::move(module));
}

void clear_repeated() { the_repeated().clear(); }

void use_module_operator(Model::Parts& parts) {
  register_operator();
  parts.has_own_calls = true;
  change_calls(parts.module, types_of(parts.module), repeated_call());
}

void use_plain_calls(Model::Parts& parts) {
  change_calls(parts.module, types_of(parts.module), kPlainCall);
}

Module module_at(const Module& root, const std::string& path) {
  Module module = root;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    module = module.attr(path.substr(begin, dot - begin)).toModule();
    begin = dot + 1;
  }
  return module;
}

void throw_needs_compiler(const Model::Parts& parts, const std::string& what) {
  const schema::Problem& reason = parts.interpreter->reason().problem();
  throw syntax::Refusal(
      reason.code, reason.place,
      fmt::format("{}, and this one cannot be compiled: {}", what, reason.message), reason.hint);
}

}  // namespace knead::engine::model
