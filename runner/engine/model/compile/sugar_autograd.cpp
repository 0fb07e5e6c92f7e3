#include "runner/engine/model/compile/sugar_autograd.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/compile/call.h"
#include "runner/engine/model/compile/sugar.h"
#include "runner/engine/model/module/function_node.h"

namespace knead::engine::model {
namespace {

/// Stands for a method of a context that keeps Tensors under an attribute.
class KeepSugar : public jit::SugaredValue {
 public:
  KeepSugar(std::shared_ptr<ContextSugar> context, std::string attribute)
      : context_(std::move(context)), attribute_(std::move(attribute)) {}

  std::string kind() const override { return "function"; }
  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            at::ArrayRef<jit::NamedValue> arguments, at::ArrayRef<jit::NamedValue>,
                            std::size_t) override {
    jit::Graph& graph = *function.graph();
    std::vector<jit::Value*> values;
    for (const auto& argument : arguments) values.push_back(argument.value(graph));
    jit::Value* tuple = graph.insertNode(graph.createTuple(values))->output();
    context_->setAttr(at, function, attribute_, tuple);
    return std::make_shared<jit::SimpleValue>(graph.insertConstant(c10::IValue(), at));
  }

 private:
  std::shared_ptr<ContextSugar> context_;
  std::string attribute_;
};

/// Returns the attribute that a method of a context assigns; null for other names.
const char* kept_by(const std::string& method) {
  if (method == "save_for_backward") return kSavedTensors;
  if (method == "mark_non_differentiable") return kNonDifferentiable;
  if (method == "mark_dirty") return kDirty;
  return nullptr;
}

/// Returns the number of Tensors in the result of a forward; std::nullopt if anything else is in
/// it.
std::optional<std::size_t> number_of_results(const c10::TypePtr& type) {
  if (type->isSubtypeOf(*c10::TensorType::get())) return 1;
  const auto tuple = type->cast<c10::TupleType>();
  if (!tuple) return std::nullopt;
  const auto& items = tuple->elements();
  const bool are_tensors = std::all_of(items.begin(), items.end(), [](const auto& item) {
    return item->isSubtypeOf(*c10::TensorType::get());
  });
  return are_tensors ? std::optional(items.size()) : std::nullopt;
}

std::vector<c10::TypePtr> types_of_gradients(const c10::TypePtr& type) {
  const auto tuple = type->cast<c10::TupleType>();
  return tuple ? tuple->elements().vec() : std::vector{type};
}

/// Returns what is wrong with the result of a backward for this number of arguments of forward;
/// empty if nothing is.
std::string mistake_in_gradients(const std::string& name, const c10::TypePtr& result,
                                 std::size_t arguments) {
  const auto types = types_of_gradients(result);
  if (types.size() < arguments) {
    return fmt::format("backward of '{}' returns {} gradients, and forward has {} arguments", name,
                       types.size(), arguments);
  }
  const auto place = std::find_if(types.begin(), types.end(), [](const c10::TypePtr& type) {
    return !type->isSubtypeOf(*c10::OptionalType::ofTensor());
  });
  if (place == types.end()) return "";
  return fmt::format(
      "backward of '{}' returns a value of type {} for argument {}, and not a Tensor", name,
      (*place)->annotation_str(), place - types.begin() + 1);
}

c10::TypePtr result_of(const jit::Function& function) {
  return function.getSchema().returns().at(0).type();
}

std::shared_ptr<Function> static_method(const Class& type, const std::string& name) {
  const Value* member = type.find(name);
  const auto* function = member ? as<Function>(*member) : nullptr;
  return function ? *function : nullptr;
}

}  // namespace

bool is_autograd_function(const Class& type) {
  return std::any_of(type.order.begin() + 1, type.order.end(), [](const auto& base) {
    return base->name == "Function" && base->file && base->file->module == "torch.autograd";
  });
}

jit::SugaredValuePtr ApplySugar::call(const jit::SourceRange& at, jit::GraphFunction& function,
                                      at::ArrayRef<jit::NamedValue> arguments,
                                      at::ArrayRef<jit::NamedValue> named, std::size_t) {
  if (!named.empty()) compiler_.refuse(at, "apply() takes no keyword arguments");
  return compiler_.apply(*type_, at, function, arguments);
}

jit::SugaredValuePtr ContextSugar::attr(const jit::SourceRange& at, jit::GraphFunction& function,
                                        const std::string& name) {
  const std::string known = name == "saved_variables" ? kSavedTensors : name;
  if (context_->type()->expectRef<c10::ClassType>().hasAttribute(known)) {
    jit::Value* value = function.graph()->insertGetAttr(context_, known);
    value->node()->setSourceRange(at);
    return std::make_shared<jit::SimpleValue>(value);
  }
  if (const char* attribute = kept_by(name)) {
    return std::make_shared<KeepSugar>(std::make_shared<ContextSugar>(compiler_, context_),
                                       attribute);
  }
  if (known == kSavedTensors) {
    return std::make_shared<jit::SugaredTupleValue>(std::vector<jit::SugaredValuePtr>{});
  }
  compiler_.refuse(at, fmt::format("the context has no attribute '{}'", name),
                   "forward assigns what backward reads: ctx.name = …");
}

void ContextSugar::setAttr(const jit::SourceRange& at, jit::GraphFunction& function,
                           const std::string& name, jit::Value* value) {
  const auto type = context_->type()->expect<c10::ClassType>();
  c10::TypePtr actual = c10::unshapedType(value->type());
  if (actual->kind() == c10::TypeKind::NoneType) {
    actual = c10::OptionalType::create(c10::TensorType::get());
  }
  const c10::TypePtr known = type->findAttribute(name);
  if (!known) {
    type->addAttribute(name, actual);
  } else if (!actual->isSubtypeOf(*known)) {
    compiler_.refuse(at,
                     fmt::format("'{}' of the context is a {} before and a {} here", name,
                                 known->repr_str(), actual->repr_str()),
                     "use two names");
  }
  jit::Graph& graph = *function.graph();
  graph.insertNode(graph.createSetAttr(context_, name, value))->setSourceRange(at);
}

jit::Function* Compiler::compile_static(const Class& type, const std::string& name, Call& call) {
  if (!call.callee) {
    refuse(call.at, fmt::format("'{}' has no {}", type.name, name),
           "a torch.autograd.Function has forward and backward, each a @staticmethod");
  }
  call.bind();
  call.decide();
  return specialise(call);
}

// The context is an object whose class gets its attributes while forward is compiled, so backward
// is compiled after it. Each call has a class of its own.
jit::SugaredValuePtr Compiler::apply(const Class& type, const jit::SourceRange& at,
                                     jit::GraphFunction& function,
                                     at::ArrayRef<jit::NamedValue> arguments) {
  jit::Graph& graph = *function.graph();
  auto made = std::make_shared<CompiledFunction>();
  made->name = type.name;
  made->arguments = arguments.size();
  made->context = c10::ClassType::create(
      unit_->mangle(c10::QualifiedName(qualified_name(type.file, type.name + "_context"))), unit_,
      /*is_module=*/false);
  made->context->addAttribute(kNeedsInputGrad, c10::ListType::create(c10::BoolType::get()));
  unit_->register_type(made->context);
  contexts_.insert(made->context.get());

  // The values stand for the arguments of the compiled functions and are in no graph that runs.
  jit::Graph scratch;
  const auto stand_in = [&](const c10::TypePtr& of) {
    return jit::NamedValue(scratch.addInput()->setType(of));
  };
  const jit::NamedValue context = stand_in(made->context);

  const auto setup = static_method(type, "setup_context");
  std::vector<jit::NamedValue> of_forward(arguments.begin(), arguments.end());
  if (!setup) of_forward.insert(of_forward.begin(), context);
  const auto forward = static_method(type, "forward");
  const std::string forward_name = type.name + "_forward";
  Call call{*this, forward, nullptr, forward_name, at, graph, of_forward, {}};
  made->forward = compile_static(type, "forward", call);
  std::vector<jit::Value*> inputs;
  for (std::size_t i = setup ? 0 : 1; i < call.parameters.size(); ++i) {
    const auto& parameter = call.parameters[i];
    if (!parameter.given || !parameter.passed) continue;
    inputs.push_back(parameter.given);
    made->positions.push_back(setup ? i : i - 1);
  }
  const c10::TypePtr result = result_of(*made->forward);
  const auto results = number_of_results(result);
  if (!results) {
    refuse(at, fmt::format("forward of '{}' returns something else than Tensors", type.name),
           "keep it in the context: ctx.name = …");
  }

  if (setup) {
    std::vector<jit::Value*> all;
    for (const auto& argument : arguments) all.push_back(argument.value(graph));
    jit::Value* tuple = graph.insertNode(graph.createTuple(all))->output();
    inputs.push_back(tuple);
    const std::vector<jit::NamedValue> of_setup{context, stand_in(tuple->type()), stand_in(result)};
    const std::string setup_name = type.name + "_setup_context";
    Call setting{*this, setup, nullptr, setup_name, at, scratch, of_setup, {}};
    made->setup = compile_static(type, "setup_context", setting);
  }

  std::vector<jit::NamedValue> of_backward{context};
  for (std::size_t i = 0; i < *results; ++i) {
    of_backward.push_back(stand_in(c10::TensorType::get()));
  }
  const auto backward = static_method(type, "backward");
  const std::string backward_name = type.name + "_backward";
  Call back{*this, backward, nullptr, backward_name, at, scratch, of_backward, {}};
  made->backward = compile_static(type, "backward", back);
  // A backward that only raises returns nothing; it may never be called.
  const c10::TypePtr gradients = result_of(*made->backward);
  const std::string mistake = gradients->kind() == c10::TypeKind::NoneType
                                  ? ""
                                  : mistake_in_gradients(type.name, gradients, arguments.size());
  if (!mistake.empty()) {
    refuse(at, mistake, "return one for each argument, None for those without gradient");
  }
  jit::Node* node = graph.insertNode(make_function_node(graph, made, inputs));
  node->setSourceRange(at);
  node->output()->setType(result);
  return std::make_shared<jit::SimpleValue>(node->output());
}

}  // namespace knead::engine::model
