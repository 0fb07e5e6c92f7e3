#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "runner/engine/model/compile/sugar.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {
namespace {

bool has_slot(const std::vector<Slot>& slots, const std::string& name) {
  return std::any_of(slots.begin(), slots.end(),
                     [&](const Slot& slot) { return slot.name == name; });
}

/// Returns the attribute names of a module, for messages and hasattr.
std::vector<std::string> names_of(const Object& object) {
  std::vector<std::string> names;
  for (const auto& [name, module] : object.modules) names.push_back(name);
  for (const auto& [name, value] : object.attributes) names.push_back(name);
  for (const auto& slot : object.parameters) names.push_back(slot.name);
  for (const auto& slot : object.buffers) names.push_back(slot.name);
  for (const auto& base : object.type->order) {
    if (!base->file) continue;
    for (const auto& [name, value] : base->members) {
      if (!name.starts_with("__")) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

jit::Value* Submodules::read(jit::Graph& graph, jit::Value* module, const std::string& name,
                             const jit::SourceRange& at) {
  if (!graph_) graph_ = &graph;
  const bool is_at_begin = module->node() == graph.param_node() || at_begin_.contains(module);
  if (graph_ != &graph || !is_at_begin) {
    jit::Value* value = graph.insertGetAttr(module, name);
    value->node()->setSourceRange(at);
    return value;
  }
  jit::Value*& value = values_[{module, name}];
  if (value) return value;
  jit::Node* node = graph.createGetAttr(module, name);
  node->setSourceRange(at);
  last_ = last_ ? node->insertAfter(last_) : graph.prependNode(node);
  value = node->output();
  at_begin_.insert(value);
  return value;
}

jit::SugaredValuePtr ModuleSugar::slot(const jit::SourceRange& at, jit::GraphFunction& function,
                                       const std::string& name) {
  if (type_.type->getAttribute(name)->is_module()) {
    jit::Value* module = compiler_.submodules().read(*function.graph(), self_, name, at);
    return std::make_shared<ModuleSugar>(compiler_, module, *compiler_.class_of(module));
  }
  jit::Value* value = function.graph()->insertGetAttr(self_, name);
  value->node()->setSourceRange(at);
  return std::make_shared<jit::SimpleValue>(value);
}

// Finds the method `forward` of `__super_2_forward`: the first one in the method resolution order
// from index 2 on.
jit::SugaredValuePtr ModuleSugar::super(const jit::SourceRange& at, const std::string& name) {
  const std::string_view rest = std::string_view(name).substr(std::string_view("__super_").size());
  std::size_t position = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), position);
  const std::string method(rest.substr(rest.find('_') + 1));
  const auto& order = type_.example->type->order;
  for (std::size_t i = position; i < order.size(); ++i) {
    const Value* member = find_named(std::as_const(order[i]->members), method);
    if (member == nullptr) continue;
    if (const auto* function = as<Function>(*member)) {
      return std::make_shared<FunctionSugar>(compiler_, *function, self_, name);
    }
  }
  // nn.Sequential has no forward among its source members: forward_of() provides it.
  if (method == "forward" && type_.example->type->container == Class::Container::sequential) {
    Object sequential;
    sequential.type = *std::find_if(order.begin(), order.end(), [](const auto& base) {
      return !base->file && base->container == Class::Container::sequential;
    });
    return std::make_shared<FunctionSugar>(compiler_, compiler_.forward_of(sequential), self_,
                                           name);
  }
  compiler_.refuse(at, fmt::format("no base class of '{}' has a method '{}'",
                                   type_.example->type->name, method));
}

jit::SugaredValuePtr ModuleSugar::member(const jit::SourceRange& at, jit::GraphFunction& function,
                                         const std::string& name, const Value& value) {
  const auto* method = as<Function>(value);
  const bool is_of_container = name == "forward" && as<Builtin>(value);
  if (is_of_container) {
    return std::make_shared<FunctionSugar>(compiler_, compiler_.forward_of(*type_.example), self_,
                                           name);
  }
  if (!method) return compiler_.sugar(value, at, function);
  if ((*method)->kind == Function::Kind::static_) {
    return std::make_shared<FunctionSugar>(compiler_, *method);
  }
  if ((*method)->kind == Function::Kind::class_) {
    compiler_.refuse(at, fmt::format("a method cannot call the class method '{}'", name),
                     "make it a @staticmethod");
  }
  auto bound = std::make_shared<FunctionSugar>(compiler_, *method, self_, name);
  if ((*method)->kind == Function::Kind::property) return bound->call(at, function, {}, {}, 1);
  return bound;
}

// The order is that of Python: stored attributes, then parts registered as None, constants, and
// members of the class.
jit::SugaredValuePtr ModuleSugar::attr(const jit::SourceRange& at, jit::GraphFunction& function,
                                       const std::string& name) {
  const Object& object = *type_.example;
  if (name.starts_with("__super_")) return super(at, name);
  if (type_.type->hasAttribute(name)) return slot(at, function, name);
  if (find_named(object.modules, name) != nullptr || has_slot(object.parameters, name) ||
      has_slot(object.buffers, name)) {
    return compiler_.sugar(None{}, at, function);  // registered as None
  }
  if (const Value* attribute = find_named(object.attributes, name))
    return compiler_.sugar(*attribute, at, function);
  if (const Value* value = object.type->find(name)) return member(at, function, name, *value);
  const auto names = names_of(object);
  compiler_.refuse(at, fmt::format("'{}' object has no attribute '{}'", object.type->name, name),
                   schema::did_you_mean(name, {names.begin(), names.end()}));
}

bool ModuleSugar::hasAttr(const jit::SourceRange&, jit::GraphFunction&, const std::string& name) {
  const auto names = names_of(*type_.example);
  return name == "training" || std::find(names.begin(), names.end(), name) != names.end();
}

void ModuleSugar::setAttr(const jit::SourceRange& at, jit::GraphFunction& function,
                          const std::string& name, jit::Value* value) {
  if (!type_.type->hasAttribute(name)) {
    compiler_.refuse(
        at, fmt::format("'{}' is first assigned while the model runs", name),
        fmt::format("assign it in __init__, with its type: self.{}: Optional[Tensor] = "
                    "None",
                    name));
  }
  const auto wanted = type_.type->getAttribute(name);
  if (!value->type()->isSubtypeOf(*wanted)) {
    compiler_.refuse(
        at,
        fmt::format("'{}' holds {}, not {}", name, wanted->annotation_str(),
                    value->type()->annotation_str()),
        fmt::format("say in __init__ what it may hold: self.{}: Optional[Tensor] = None", name));
  }
  jit::Graph& graph = *function.graph();
  graph.insertNode(graph.createSetAttr(self_, name, value))->setSourceRange(at);
}

jit::SugaredValuePtr ModuleSugar::call(const jit::SourceRange& at, jit::GraphFunction& function,
                                       at::ArrayRef<jit::NamedValue> arguments,
                                       at::ArrayRef<jit::NamedValue> named, std::size_t binders) {
  const Object& object = *type_.example;
  const auto forward = compiler_.forward_of(object);
  if (!forward) {
    compiler_.refuse(at, fmt::format("'{}' has no forward", object.type->name),
                     object.type->container == Class::Container::none ? "" : "call its items");
  }
  return compiler_.call(forward, self_, "forward", at, function, arguments, named, binders);
}

std::vector<jit::SugaredValuePtr> ModuleSugar::asTuple(const jit::SourceRange& at,
                                                       jit::GraphFunction& function,
                                                       const std::optional<size_t>&) {
  const Object& object = *type_.example;
  if (object.type->container == Class::Container::none) {
    compiler_.refuse(at, fmt::format("'{}' cannot be iterated over", object.type->name));
  }
  std::vector<jit::SugaredValuePtr> items;
  for (const auto& [name, module] : object.modules) {
    const bool is_dict = object.type->container == Class::Container::dict;
    items.push_back(is_dict ? compiler_.sugar(Value(name), at, function)
                            : attr(at, function, name));
  }
  for (const auto& parameter : object.parameters) {
    items.push_back(attr(at, function, parameter.name));
  }
  return items;
}

jit::SugaredValuePtr ModuleSugar::asTupleValue(const jit::SourceRange& at,
                                               jit::GraphFunction& function) {
  return std::make_shared<jit::SugaredTupleValue>(asTuple(at, function));
}

jit::SugaredValuePtr ModuleSugar::iter(const jit::SourceRange& at, jit::GraphFunction& function) {
  return asTupleValue(at, function);
}

std::optional<std::int64_t> ModuleSugar::staticLen() {
  return static_cast<std::int64_t>(type_.example->modules.size() +
                                   type_.example->parameters.size());
}

jit::SugaredValuePtr ModuleSugar::getitem(const jit::SourceRange& at, jit::GraphFunction& function,
                                          jit::Value* index, c10::TypePtr hint) {
  const Value* own = type_.example->type->find("__getitem__");
  if (const auto* method = own ? as<Function>(*own) : nullptr) {
    return FunctionSugar(compiler_, *method, self_, "__getitem__")
        .call(at, function, {jit::NamedValue(index)}, {}, 1);
  }
  return asTupleValue(at, function)->getitem(at, function, index, std::move(hint));
}

}  // namespace knead::engine::model
