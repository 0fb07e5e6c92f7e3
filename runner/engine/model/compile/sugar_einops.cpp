#include <map>

#include <fmt/format.h>

#include "runner/engine/model/compile/sugar.h"
#include "runner/engine/model/einops/call_arguments.h"
#include "runner/engine/model/einops/function_text.h"
#include "runner/engine/model/values/mistake.h"

namespace knead::engine::model {
namespace {

/// A call of rearrange(), repeat() or reduce() that is being emitted.
class TransformCall {
 public:
  TransformCall(Compiler& compiler, std::string function, const jit::SourceRange& at,
                jit::GraphFunction& graph_function, at::ArrayRef<jit::NamedValue> arguments,
                at::ArrayRef<jit::NamedValue> named)
      : compiler_(compiler),
        name_(std::move(function)),
        at_(at),
        function_(graph_function),
        arguments_(arguments),
        named_(named),
        bound_(einops::bind_arguments(name_, shape_of(arguments, named))) {}

  /// Emits the call of the function of the plan, which is compiled at its first use.
  jit::SugaredValuePtr emit();

 private:
  jit::Value* value_of(const syntax::Slot& slot) const;
  /// Returns the text of an argument that must be a constant; throws Mistake for other texts.
  std::string text_of(const syntax::Slot& slot, const char* parameter) const;
  std::string operation() const;
  /// Refuses an argument that is neither a tensor nor a list of tensors; returns whether it is a
  /// list.
  bool takes_list(const jit::Value* value) const;
  einops::CallForm form(bool takes_list) const;
  jit::Value* length(const std::string& axis) const;

  Compiler& compiler_;
  std::string name_;
  const jit::SourceRange& at_;
  jit::GraphFunction& function_;
  at::ArrayRef<jit::NamedValue> arguments_, named_;
  einops::CallArguments bound_;
};

jit::Value* TransformCall::value_of(const syntax::Slot& slot) const {
  jit::Graph& graph = *function_.graph();
  if (const auto* place = std::get_if<syntax::ByPosition>(&slot)) {
    return arguments_[place->index].value(graph);
  }
  return named_[std::get<syntax::ByName>(slot).index].value(graph);
}

std::string TransformCall::text_of(const syntax::Slot& slot, const char* parameter) const {
  const jit::Value* value = value_of(slot);
  const auto constant = jit::toIValue(value);
  if (constant && constant->isString() && !compiler_.passed(*value)) {
    return constant->toStringRef();
  }
  if (value->type()->kind() == c10::TypeKind::StringType && !constant) {
    einops::refuse_unknown_pattern(name_);
  }
  throw Mistake(fmt::format("the {} of {}() is a text", parameter, name_));
}

std::string TransformCall::operation() const {
  if (!bound_.reduction) return name_;
  const jit::Value* value = value_of(*bound_.reduction);
  if (compiler_.passed(*value)) {
    throw Mistake("reduce() takes the name of a reduction here, and no function",
                  "rearrange() the axes to the end and call the function with their dimensions");
  }
  return text_of(*bound_.reduction, "reduction");
}

bool TransformCall::takes_list(const jit::Value* value) const {
  const c10::TypePtr& type = value->type();
  if (type->isSubtypeOf(*c10::TensorType::get())) return false;
  if (type->isSubtypeOf(*c10::ListType::ofTensors())) return true;
  const bool is_tuple = type->kind() == c10::TypeKind::TupleType;
  throw Mistake(fmt::format("{}() takes a Tensor or a list of Tensors, and this is a {}", name_,
                            is_tuple ? "tuple" : type->repr_str()),
                is_tuple ? "write a list: [x, y]" : "");
}

jit::Value* TransformCall::length(const std::string& axis) const {
  for (const std::size_t place : bound_.lengths) {
    if (named_[place].name() == axis) return named_[place].value(*function_.graph());
  }
  return nullptr;
}

einops::CallForm TransformCall::form(bool takes_list) const {
  einops::CallForm form{.takes_list = takes_list, .constants = {}};
  for (const std::size_t place : bound_.lengths) {
    const std::string& axis = named_[place].name();
    const jit::Value* value = length(axis);
    if (value->type()->kind() != c10::TypeKind::IntType) {
      const bool is_tensor = value->type()->isSubtypeOf(*c10::TensorType::get());
      throw Mistake(fmt::format("the length of the axis '{}' is an int, and this is a {}", axis,
                                value->type()->repr_str()),
                    is_tensor ? fmt::format("{}=int(…)", axis) : "");
    }
    if (const auto constant = jit::toIValue(value)) form.constants[axis] = constant->toInt();
  }
  return form;
}

jit::SugaredValuePtr TransformCall::emit() {
  const std::string pattern = text_of(bound_.pattern, "pattern");
  std::vector<std::string> given;
  for (const std::size_t place : bound_.lengths) given.push_back(named_[place].name());
  const einops::Plan plan = einops::make_plan(pattern, operation(), given);
  jit::Value* tensor = value_of(bound_.tensor);
  const einops::CallForm form = this->form(takes_list(tensor));
  std::vector<jit::NamedValue> values = {jit::NamedValue(tensor)};
  for (const einops::AxisIndex axis : einops::arguments_of(plan, form)) {
    values.emplace_back(length(plan.axes[axis].name));
  }
  jit::Function* transform =
      compiler_.function_of_text(name_, einops::function_text(plan, form), at_);
  return jit::FunctionValue(transform).call(at_, function_, values, {}, 1);
}

class TransformSugar : public jit::SugaredValue {
 public:
  TransformSugar(Compiler& compiler, std::string function)
      : compiler_(compiler), name_(std::move(function)) {}
  std::string kind() const override { return "function"; }
  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t) override {
    try {
      return TransformCall(compiler_, name_, at, function, arguments, named).emit();
    } catch (const Mistake& mistake) {
      compiler_.refuse(at, mistake.what(), mistake.remedy());
    }
  }

 private:
  Compiler& compiler_;
  std::string name_;
};

/// einops.einsum(), whose pattern is the last argument and may have names of several letters.
class EinsumSugar : public jit::SugaredValue {
 public:
  explicit EinsumSugar(Compiler& compiler) : compiler_(compiler) {}
  std::string kind() const override { return "function"; }
  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t) override {
    jit::Graph& graph = *function.graph();
    if (arguments.size() < 2 || !named.empty()) {
      compiler_.refuse(at, "einops.einsum() takes the tensors, then the pattern");
    }
    jit::Value* pattern = arguments.back().value(graph);
    const auto text = jit::toIValue(pattern);
    if (!text || !text->isString()) {
      compiler_.refuse(at, "the last argument of einops.einsum() is its pattern",
                       pattern->type()->kind() == c10::TypeKind::StringType
                           ? "write it as a text in the call"
                           : "einsum(x, y, \"b i, b j -> b i j\")");
    }
    std::vector<jit::Value*> tensors;
    for (const auto& argument : arguments.slice(0, arguments.size() - 1)) {
      tensors.push_back(argument.value(graph));
      if (tensors.back()->type()->isSubtypeOf(*c10::TensorType::get())) continue;
      compiler_.refuse(at, "einops.einsum() takes Tensors before its pattern");
    }
    return emit(at, function, text->toStringRef(), tensors);
  }

 private:
  jit::SugaredValuePtr emit(const jit::SourceRange& at, jit::GraphFunction& function,
                            const std::string& pattern,
                            const std::vector<jit::Value*>& tensors) const {
    jit::Graph& graph = *function.graph();
    try {
      jit::Value* equation = graph.insertConstant(einops::einsum_equation(pattern), at);
      jit::Value* list =
          graph.insertNode(graph.createList(c10::TensorType::get(), tensors))->output();
      return std::make_shared<jit::SimpleValue>(jit::emitBuiltinCall(
          at, graph, c10::Symbol::fromQualString("aten::einsum"), {equation, list}, {}));
    } catch (const Mistake& mistake) {
      compiler_.refuse(at, mistake.what(), mistake.remedy());
    }
  }

  Compiler& compiler_;
};

}  // namespace

jit::SugaredValuePtr sugar_einops(Compiler& compiler, const std::string& name,
                                  const jit::SourceRange& at) {
  if (name == "einsum") return std::make_shared<EinsumSugar>(compiler);
  if (name == "rearrange" || name == "repeat" || name == "reduce") {
    return std::make_shared<TransformSugar>(compiler, name);
  }
  compiler.refuse(at, "this question about a pattern has no answer while the model runs",
                  "write the pattern as a text in the call");
}

}  // namespace knead::engine::model
