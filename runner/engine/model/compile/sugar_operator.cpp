#include <algorithm>
#include <map>

#include "runner/engine/model/compile/sugar.h"
#include "runner/engine/model/operators/permission.h"

namespace knead::engine::model {
namespace {

/// Returns the symbol of the operator that implements a function of math or torch.
std::string symbol_of(const std::string& qualified) {
  const std::string name = qualified.substr(qualified.rfind('.') + 1);
  if (qualified == "math.remainder") return "aten::mathremainder";
  static const std::map<std::string, std::string> renamed = {{"concat", "cat"},
                                                             {"concatenate", "cat"}};
  const auto found = renamed.find(name);
  return "aten::" + (found == renamed.end() ? name : found->second);
}

using Operators = std::vector<std::shared_ptr<jit::Operator>>;

[[noreturn]] void refuse_operator(const Compiler& compiler, const std::string& name,
                                  const OperatorRefusal& refusal, const jit::SourceRange& at) {
  compiler.refuse(at, refused_words(name, refusal), std::string(refusal.remedy));
}

/// Returns whether a type is float or Optional[float].
bool is_float(const c10::TypePtr& type) {
  if (type->kind() == c10::TypeKind::FloatType) return true;
  const auto optional = type->cast<c10::OptionalType>();
  return optional && is_float(optional->getElementType());
}

/// Returns whether every overload of an operator that has this parameter takes a float there.
/// `name` is empty for a positional argument.
bool wants_float(const Operators& operators, std::size_t position, const std::string& name) {
  bool found = false;
  for (const auto& one : operators) {
    const auto& parameters = one->schema().arguments();
    const auto index = name.empty() ? std::optional<int>(static_cast<int>(position))
                                    : one->schema().argumentIndexWithName(name);
    if (!index || static_cast<std::size_t>(*index) >= parameters.size()) continue;
    // If one overload takes an int there, the int may be meant, and LibTorch chooses the overload.
    if (!is_float(parameters[static_cast<std::size_t>(*index)].type())) return false;
    found = true;
  }
  return found;
}

/// An operator of LibTorch. Converts ints to floats as Python does (`dropout_p=0`), because
/// TorchScript does not.
class OperatorSugar : public jit::SugaredValue {
 public:
  explicit OperatorSugar(c10::Symbol symbol)
      : symbol_(symbol), operators_(jit::getAllOperatorsFor(symbol)) {}

  std::string kind() const override { return "function"; }

  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t binders) override {
    std::vector<jit::NamedValue> given, given_named;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      given.emplace_back(converted(at, function, arguments[i], i, ""));
    }
    for (const auto& argument : named) {
      given_named.emplace_back(at, argument.name(),
                               converted(at, function, argument, 0, argument.name()));
    }
    return jit::BuiltinFunction(symbol_, std::nullopt)
        .call(at, function, given, given_named, binders);
  }

 private:
  jit::Value* converted(const jit::SourceRange& at, jit::GraphFunction& function,
                        const jit::NamedValue& argument, std::size_t position,
                        const std::string& name) const {
    jit::Graph& graph = *function.graph();
    jit::Value* value = argument.value(graph);
    if (value->type()->kind() != c10::TypeKind::IntType) return value;
    if (!wants_float(operators_, position, name)) return value;
    return jit::emitBuiltinCall(at, graph, c10::Symbol::fromQualString("aten::Float"), {value}, {});
  }

  c10::Symbol symbol_;
  Operators operators_;
};

}  // namespace

jit::SugaredValuePtr sugar_operator(Compiler& compiler, const std::string& name,
                                    const jit::SourceRange& at) {
  const auto symbol = c10::Symbol::fromQualString(symbol_of(name));
  const std::string short_name = symbol.toUnqualString();
  const OperatorRefusal* refusal = refusal_of_native(short_name);
  const Operators overloads = jit::getAllOperatorsFor(symbol);
  const bool is_allowed = std::any_of(overloads.begin(), overloads.end(), [](const auto& one) {
    return refusal_of(one->schema()) == nullptr;
  });
  if (!is_allowed && !overloads.empty()) refusal = refusal_of(overloads.front()->schema());
  if (refusal && !is_allowed) refuse_operator(compiler, short_name, *refusal, at);
  if (overloads.empty()) return nullptr;
  return std::make_shared<OperatorSugar>(symbol);
}

}  // namespace knead::engine::model
