#pragma once

#include "runner/engine/model/compile/compiler.h"
#include "runner/syntax/binding/shapes.h"

namespace knead::engine::model {

// Sugared values: the compile-time objects that stand in a graph for things that TorchScript cannot
// represent as values.

/// Returns the shape of the arguments of a call in a graph.
syntax::ArgumentShape shape_of(at::ArrayRef<jit::NamedValue> arguments,
                               at::ArrayRef<jit::NamedValue> named);

/// Stands for a module in a graph: `self` or a submodule.
class ModuleSugar : public jit::SugaredValue {
 public:
  ModuleSugar(Compiler& compiler, jit::Value* self, ModuleClass& type)
      : compiler_(compiler), self_(self), type_(type) {}

  std::string kind() const override { return "module"; }  // the emitter compares with this text
  jit::Value* asValue(const jit::SourceRange&, jit::GraphFunction&) override { return self_; }
  jit::SugaredValuePtr attr(const jit::SourceRange& at, jit::GraphFunction& function,
                            const std::string& name) override;
  bool hasAttr(const jit::SourceRange& at, jit::GraphFunction& function,
               const std::string& name) override;
  void setAttr(const jit::SourceRange& at, jit::GraphFunction& function, const std::string& name,
               jit::Value* value) override;
  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t binders) override;
  /// Iterates over the items of a container, or over the keys of a ModuleDict.
  jit::SugaredValuePtr iter(const jit::SourceRange& at, jit::GraphFunction& function) override;
  std::optional<std::int64_t> staticLen() override;
  jit::SugaredValuePtr getitem(const jit::SourceRange& at, jit::GraphFunction& function,
                               jit::Value* index, c10::TypePtr hint = nullptr) override;
  std::vector<jit::SugaredValuePtr> asTuple(const jit::SourceRange& at,
                                            jit::GraphFunction& function,
                                            const std::optional<size_t>& size = {}) override;
  jit::SugaredValuePtr asTupleValue(const jit::SourceRange& at,
                                    jit::GraphFunction& function) override;

 private:
  /// Reads a stored attribute of the module.
  jit::SugaredValuePtr slot(const jit::SourceRange& at, jit::GraphFunction& function,
                            const std::string& name);
  /// Resolves a name `__super_N_method` that Lowering::super_call() made.
  jit::SugaredValuePtr super(const jit::SourceRange& at, const std::string& name);
  /// Returns a member of the Python class: a bound method, a property value or a constant.
  jit::SugaredValuePtr member(const jit::SourceRange& at, jit::GraphFunction& function,
                              const std::string& name, const Value& value);

  Compiler& compiler_;
  jit::Value* self_;
  ModuleClass& type_;
};

/// Stands for a function of a source file (`self` is null) or for a method of a module.
class FunctionSugar : public jit::SugaredValue {
 public:
  FunctionSugar(Compiler& compiler, std::shared_ptr<Function> callee, jit::Value* self = nullptr,
                std::string name = "")
      : compiler_(compiler), callee_(std::move(callee)), self_(self), name_(std::move(name)) {
    if (name_.empty()) name_ = callee_->name;
  }

  std::string kind() const override { return "function"; }
  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t binders) override {
    return compiler_.call(callee_, self_, name_, at, function, arguments, named, binders);
  }

 private:
  Compiler& compiler_;
  std::shared_ptr<Function> callee_;
  jit::Value* self_;
  std::string name_;
};

/// Stands for a module of an import: torch, torch.nn.functional, math or a sibling file.
class NamespaceSugar : public jit::SugaredValue {
 public:
  NamespaceSugar(Compiler& compiler, std::shared_ptr<Namespace> names)
      : compiler_(compiler), names_(std::move(names)) {}

  std::string kind() const override { return "namespace"; }
  jit::SugaredValuePtr attr(const jit::SourceRange& at, jit::GraphFunction& function,
                            const std::string& name) override;
  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t binders) override;

 private:
  /// Refuses a module that models do not have.
  [[noreturn]] void refuse_unavailable(const jit::SourceRange& at) const;
  /// Returns the remedy for a name that the module does not define.
  std::string remedy_for(const std::string& name) const;

  Compiler& compiler_;
  std::shared_ptr<Namespace> names_;
};

/// Stands for a configuration object. Its attributes are constants; a functools.partial can be
/// called.
class RecordSugar : public jit::SugaredValue {
 public:
  RecordSugar(Compiler& compiler, std::shared_ptr<Object> object)
      : compiler_(compiler), object_(std::move(object)) {}

  std::string kind() const override { return object_->type->name; }
  jit::SugaredValuePtr attr(const jit::SourceRange& at, jit::GraphFunction& function,
                            const std::string& name) override;
  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t binders) override;

 private:
  std::vector<std::string> names_of_attributes() const;

  Compiler& compiler_;
  std::shared_ptr<Object> object_;
};

/// Stands for a class: provides its constants, raises exceptions and makes NamedTuples.
class ClassSugar : public jit::SugaredValue {
 public:
  ClassSugar(Compiler& compiler, std::shared_ptr<Class> type)
      : compiler_(compiler), type_(std::move(type)) {}

  std::string kind() const override { return "class"; }
  jit::SugaredValuePtr attr(const jit::SourceRange& at, jit::GraphFunction& function,
                            const std::string& name) override;
  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t binders) override;

 private:
  /// Emits the construction of a NamedTuple.
  jit::SugaredValuePtr named_tuple(const jit::SourceRange& at, jit::GraphFunction& function,
                                   at::ArrayRef<jit::NamedValue> arguments,
                                   at::ArrayRef<jit::NamedValue> named);

  Compiler& compiler_;
  std::shared_ptr<Class> type_;
};

/// Returns the sugared value of a built-in function by its name: "len", "torch.relu". Throws
/// syntax::Refusal at `at` if it cannot be called while the model runs.
jit::SugaredValuePtr sugar_builtin(Compiler& compiler, const std::string& name,
                                   const jit::SourceRange& at);

/// Returns LibTorch's operator of a function: "torch.relu", "math.sqrt". Returns null if LibTorch
/// has no such operator.
jit::SugaredValuePtr sugar_operator(const std::string& name);

}  // namespace knead::engine::model
