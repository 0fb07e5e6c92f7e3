#include <algorithm>
#include <iterator>
#include <string_view>

#include "runner/engine/model/compile/sugar.h"

namespace knead::engine::model {
namespace {

/// Functions of one number whose operator computes with the same functions of the C library.
constexpr std::string_view kOfNumbers[] = {"sqrt",  "exp",  "log",   "log10", "log1p",
                                           "expm1", "sin",  "cos",   "tan",   "tanh",
                                           "sinh",  "cosh", "floor", "ceil"};

/// A function of NumPy in a method: arithmetic of numbers, as in int(np.ceil(h / 2)), and nothing
/// else.
class NumpySugar : public jit::SugaredValue {
 public:
  NumpySugar(Compiler& compiler, std::string name) : compiler_(compiler), name_(std::move(name)) {}
  std::string kind() const override { return "function"; }

  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t) override {
    if (arguments.size() != 1 || !named.empty()) refuse(at);
    jit::Value* argument = arguments[0].value(*function.graph());
    const bool is_of_numbers =
        std::find(std::begin(kOfNumbers), std::end(kOfNumbers), name_) != std::end(kOfNumbers);
    const auto kind = argument->type()->kind();
    if (is_of_numbers && (kind == c10::TypeKind::IntType || kind == c10::TypeKind::FloatType)) {
      jit::Value* number = run("Float", argument, at, function);
      // The operators floor and ceil return an int; NumPy returns a float.
      return std::make_shared<jit::SimpleValue>(
          run("Float", run(name_, number, at, function), at, function));
    }
    if (name_ == "prod" && is_sizes(*argument->type())) {
      return jit::FunctionValue(compiler_.own_function("prod"))
          .call(at, function, arguments, {}, 1);
    }
    refuse(at);
  }

 private:
  static bool is_sizes(const c10::Type& type) {
    const auto* list = type.castRaw<c10::ListType>();
    return list && list->getElementType()->kind() == c10::TypeKind::IntType;
  }

  static jit::Value* run(const std::string& name, jit::Value* value, const jit::SourceRange& at,
                         jit::GraphFunction& function) {
    return jit::BuiltinFunction(c10::Symbol::fromQualString("aten::" + name), std::nullopt)
        .call(at, function, {jit::NamedValue(value)}, {}, 1)
        ->asValue(at, function);
  }

  [[noreturn]] void refuse(const jit::SourceRange& at) const {
    compiler_.refuse(at, "numpy is not available while the model runs", "write it with torch");
  }

  Compiler& compiler_;
  std::string name_;
};

}  // namespace

jit::SugaredValuePtr sugar_numpy(Compiler& compiler, const std::string& name) {
  return std::make_shared<NumpySugar>(compiler, name);
}

}  // namespace knead::engine::model
