#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "schema/document/count_words.h"

#include "runner/engine/model/compile/sugar.h"

namespace knead::engine::model {
namespace {

using ArgumentsRef = at::ArrayRef<jit::NamedValue>;

/// The call of a built-in function that is being emitted.
struct OneCall {
  Compiler& compiler;
  const std::string& name;
  const jit::SourceRange& at;
  jit::GraphFunction& function;
  ArgumentsRef arguments;
  ArgumentsRef named;

  jit::Graph& graph() const { return *function.graph(); }
  jit::Value* argument(std::size_t index) const { return arguments[index].value(graph()); }
  bool is_a(std::size_t index, c10::TypeKind kind) const {
    return argument(index)->type()->kind() == kind;
  }
  jit::SugaredValuePtr run(const char* symbol, ArgumentsRef given,
                           ArgumentsRef given_named = {}) const {
    return jit::BuiltinFunction(c10::Symbol::fromQualString(symbol), std::nullopt)
        .call(at, function, given, given_named, 1);
  }
  jit::SugaredValuePtr simple(jit::Value* value) const {
    return std::make_shared<jit::SimpleValue>(value);
  }
  /// Refuses the call unless it has `count` positional arguments and no named ones.
  void expect(std::size_t count) const {
    if (arguments.size() == count && named.empty()) return;
    compiler.refuse(
        at, fmt::format("{}() takes {} in a method", name, schema::count_words(count, "argument")));
  }
};

using OwnFunction = std::function<jit::SugaredValuePtr(const OneCall&)>;

/// Emits len(); the length of a container of modules is a constant.
jit::SugaredValuePtr len(const OneCall& call) {
  call.expect(1);
  if (ModuleClass* module = call.compiler.class_of(call.argument(0))) {
    const auto count = module->example->modules.size() + module->example->parameters.size();
    return call.simple(call.graph().insertConstant(static_cast<std::int64_t>(count), call.at));
  }
  return call.run("aten::len", call.arguments);
}

/// Emits round(). Python returns an int for a float; aten::round returns a float.
jit::SugaredValuePtr round(const OneCall& call) {
  if (!call.arguments.empty() && call.is_a(0, c10::TypeKind::TensorType)) {
    return call.run("aten::round", call.arguments, call.named);
  }
  call.expect(1);
  if (call.is_a(0, c10::TypeKind::IntType)) return call.simple(call.argument(0));
  jit::Value* rounded = call.run("aten::round", call.arguments)->asValue(call.at, call.function);
  return call.run("aten::Int", {jit::NamedValue(rounded)});
}

/// Emits sum(); TorchScript has no operator for a list of Tensors.
jit::SugaredValuePtr summed(const OneCall& call) {
  call.expect(1);
  const auto list = call.argument(0)->type()->cast<c10::ListType>();
  if (list && list->getElementType()->isSubtypeOf(*c10::TensorType::get())) {
    return jit::FunctionValue(call.compiler.own_function("sum"))
        .call(call.at, call.function, call.arguments, {}, 1);
  }
  return call.run("aten::sum", call.arguments);
}

/// Emits reversed() of a list as the slice [::-1].
jit::SugaredValuePtr reversed(const OneCall& call) {
  call.expect(1);
  jit::Graph& graph = call.graph();
  const jit::NamedValue none(graph.insertConstant(c10::IValue(), call.at));
  const jit::NamedValue step(graph.insertConstant(std::int64_t{-1}, call.at));
  if (!call.is_a(0, c10::TypeKind::ListType)) {
    call.compiler.refuse(call.at, "a method can reverse lists only");
  }
  return call.run("aten::slice", {call.arguments[0], none, none, step});
}

/// Emits a ** b. For ints, TorchScript returns a float, but Python returns an int if the exponent
/// is not negative; a constant exponent is therefore expanded to multiplications.
jit::SugaredValuePtr pow(const OneCall& call) {
  call.expect(2);
  const bool whole = call.is_a(0, c10::TypeKind::IntType) && call.is_a(1, c10::TypeKind::IntType);
  if (!whole) return call.run("aten::pow", call.arguments);
  const auto exponent = jit::toIValue(call.argument(1));
  if (!exponent || exponent->toInt() < 0) {
    call.compiler.refuse(call.at, "whether this is a whole number is not known here",
                         "write float(a) ** b");
  }
  // |base| > 1 overflows 64 bits beyond kMost; the power of -1 depends on whether the exponent is
  // even.
  constexpr std::int64_t kMost = 64;
  const std::int64_t wanted = exponent->toInt();
  const std::int64_t factors = wanted <= kMost ? wanted : kMost + wanted % 2;
  jit::Value* product = call.graph().insertConstant(std::int64_t{1}, call.at);
  for (std::int64_t i = 0; i < factors; ++i) {
    product = call.run("aten::mul", {jit::NamedValue(product), call.arguments[0]})
                  ->asValue(call.at, call.function);
  }
  return call.simple(product);
}

jit::SugaredValuePtr pow_in_place(const OneCall& call) {
  return call.is_a(0, c10::TypeKind::TensorType) ? call.run("aten::pow_", call.arguments)
                                                 : pow(call);
}

jit::SugaredValuePtr floor_divide_in_place(const OneCall& call) {
  const bool is_tensor = call.is_a(0, c10::TypeKind::TensorType);
  return call.run(is_tensor ? "aten::floor_divide_" : "aten::floordiv", call.arguments);
}

jit::SugaredValuePtr matmul(const OneCall& call) {
  return call.run("aten::matmul", call.arguments);
}

/// Emits the sizes in `x.view(batch, *rest)`, which are numbers and lists or tuples of numbers, as
/// one list.
jit::SugaredValuePtr numbers(const OneCall& call) {
  jit::Graph& graph = call.graph();
  const auto list_of = [&](const std::vector<jit::Value*>& items) {
    return graph.insertNode(graph.createList(c10::IntType::get(), items))->output();
  };
  jit::Value* all = nullptr;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    jit::Value* part = call.argument(i);
    if (part->type()->kind() == c10::TypeKind::TupleType) {
      part = list_of(jit::createTupleUnpack(part).vec());
    } else if (part->type()->kind() == c10::TypeKind::IntType) {
      part = list_of({part});
    }
    all = all ? call.run("aten::add", {jit::NamedValue(all), jit::NamedValue(part)})
                    ->asValue(call.at, call.function)
              : part;
  }
  return call.simple(all ? all : list_of({}));
}

/// Emits the concatenation of a list of lists.
jit::SugaredValuePtr flattened(const OneCall& call) {
  call.expect(1);
  const auto lists = call.argument(0)->type()->expect<c10::ListType>();
  const auto item = lists->getElementType()->expect<c10::ListType>()->getElementType();
  return jit::FunctionValue(call.compiler.flat_function(item))
      .call(call.at, call.function, call.arguments, {}, 1);
}

jit::SugaredValuePtr set_grad_enabled(const OneCall& call) {
  return jit::ClassValue(call.compiler.gradient_switch())
      .call(call.at, call.function, call.arguments, {}, 1);
}

/// Emits torch.finfo(x.dtype).min, .max or .eps of a dtype that is not known.
jit::SugaredValuePtr finfo(const OneCall& call) {
  call.expect(1);
  return jit::FunctionValue(call.compiler.own_function(call.name))
      .call(call.at, call.function, call.arguments, {}, 1);
}

/// Maps names to emitters. Names that Python does not have, such as "numbers", come from the
/// lowering.
const std::map<std::string, OwnFunction>& builtins() {
  static const std::map<std::string, OwnFunction> table = {
      {"len", len},
      {"round", round},
      {"sum", summed},
      {"reversed", reversed},
      {"pow", pow},
      {"pow_", pow_in_place},
      {"floor_divide_", floor_divide_in_place},
      {"matmul", matmul},
      {"numbers", numbers},
      {"flat", flattened},
      {"set_grad_enabled", set_grad_enabled},
      {"finfo_min", finfo},
      {"finfo_max", finfo},
      {"finfo_eps", finfo},
  };
  return table;
}

class BuiltinSugar : public jit::SugaredValue {
 public:
  BuiltinSugar(Compiler& compiler, std::string name, const OwnFunction& builtin)
      : compiler_(compiler), name_(std::move(name)), builtin_(builtin) {}
  std::string kind() const override { return "function"; }
  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            ArgumentsRef arguments, ArgumentsRef named, std::size_t) override {
    return builtin_({compiler_, name_, at, function, arguments, named});
  }

 private:
  Compiler& compiler_;
  std::string name_;
  const OwnFunction& builtin_;
};

}  // namespace

jit::SugaredValuePtr sugar_builtin(Compiler& compiler, const std::string& name,
                                   const jit::SourceRange& at) {
  if (name == "annotate") return jit::SpecialFormValue::create(c10::prim::annotate);
  if (const auto found = builtins().find(name); found != builtins().end()) {
    return std::make_shared<BuiltinSugar>(compiler, name, found->second);
  }
  // A name without a dot is Python's and never an operator: aten::list is not list().
  if (name.find('.') == name.npos) {
    if (name.ends_with("Error") || name == "Exception") {
      return std::make_shared<jit::ExceptionValue>(name);
    }
    compiler.refuse(at, fmt::format("'{}' cannot be used while the model runs", name));
  }
  if (name.starts_with("einops.")) return sugar_einops(compiler, name.substr(7), at);
  if (name == "torch.from_numpy") {
    compiler.refuse(at, "numpy is not available while the model runs", "write it with torch");
  }
  if (name.starts_with("numpy.")) return sugar_numpy(compiler, name.substr(6));
  if (auto found = sugar_operator(compiler, name, at)) return found;
  compiler.refuse(at, fmt::format("'{}' cannot be used while the model runs", name));
}

}  // namespace knead::engine::model
