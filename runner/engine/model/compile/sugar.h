#pragma once

#include "runner/engine/model/compile/compiler.h"
#include "runner/syntax/binding/shapes.h"

namespace knead::engine::model {

// Sugared values: the compile-time objects that stand in a graph for things that TorchScript cannot
// represent as values. The emitter of LibTorch asks them for attributes, items and calls while it
// compiles a method, and they insert nodes into the graph of `function`.
//
// All of them refer to the Compiler, which must outlive them, and all functions with a place `at`
// throw syntax::Refusal there if a model cannot do what the source asks for. See
// torch/csrc/jit/frontend/sugared_value.h for the interface.

/// Returns the shape of the arguments of a call in a graph. The keywords are views into `named`,
/// which must outlive the result.
syntax::ArgumentShape shape_of(at::ArrayRef<jit::NamedValue> arguments,
                               at::ArrayRef<jit::NamedValue> named);

/// Stands for a module in a graph: `self` or a submodule. Stored attributes become nodes;
/// constants, methods and properties come from the example of the module's class.
class ModuleSugar : public jit::SugaredValue {
 public:
  /// `self` is the value of the module in the graph, with the TorchScript type of `type`.
  ModuleSugar(Compiler& compiler, jit::Value* self, ModuleClass& type)
      : compiler_(compiler), self_(self), type_(type) {}

  std::string kind() const override { return "module"; }  // the emitter compares with this text
  /// Returns the module itself, so that it can be an argument of a function.
  jit::Value* asValue(const jit::SourceRange&, jit::GraphFunction&) override { return self_; }
  /// Returns an attribute in the order of Python: a stored attribute, a part that is registered as
  /// None, a constant, a member of the class.
  jit::SugaredValuePtr attr(const jit::SourceRange& at, jit::GraphFunction& function,
                            const std::string& name) override;
  /// Returns whether the module has an attribute, for hasattr(). Of methods, only those of a source
  /// file count whose names do not begin with two underscores.
  bool hasAttr(const jit::SourceRange& at, jit::GraphFunction& function,
               const std::string& name) override;
  /// Emits `self.name = value`. Refuses a name that __init__ did not assign and a value whose type
  /// the attribute cannot hold.
  void setAttr(const jit::SourceRange& at, jit::GraphFunction& function, const std::string& name,
               jit::Value* value) override;
  /// Emits a call of forward, which is compiled for the types of these arguments.
  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t binders) override;
  /// Iterates over the items of a container, or over the keys of a ModuleDict.
  jit::SugaredValuePtr iter(const jit::SourceRange& at, jit::GraphFunction& function) override;
  /// Returns the number of items of a container, which is known at compile time.
  std::optional<std::int64_t> staticLen() override;
  /// Calls __getitem__ of the class if the source defines it; otherwise returns an item of the
  /// container, whose index must be a constant.
  jit::SugaredValuePtr getitem(const jit::SourceRange& at, jit::GraphFunction& function,
                               jit::Value* index, c10::TypePtr hint = nullptr) override;
  /// Returns the items of a container, the keys of a ModuleDict. Refuses modules that are not
  /// containers.
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
  /// `name` names the compiled function; by default it is the name in the source.
  FunctionSugar(Compiler& compiler, std::shared_ptr<Function> callee, jit::Value* self = nullptr,
                std::string name = "")
      : compiler_(compiler), callee_(std::move(callee)), self_(self), name_(std::move(name)) {
    if (name_.empty()) name_ = callee_->name;
  }

  std::string kind() const override { return "function"; }
  /// Compiles the function for these arguments, unless that is done, and emits the call.
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

/// Stands for a module of an import: torch, torch.nn.functional, math or a sibling file. Names that
/// the module does not define may be operators of LibTorch.
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

/// Stands for a configuration object: an instance of a class that is not a module. Its attributes
/// are constants; its methods cannot be called while the model runs; a functools.partial can be
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

/// Stands for a class: provides its constants and static methods, raises exceptions and makes
/// NamedTuples. Modules and other objects cannot be made while the model runs.
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
  /// Emits the construction of a NamedTuple. A field has the type of its argument, or the wider
  /// type of its annotation; an absent argument has the default of the field.
  jit::SugaredValuePtr named_tuple(const jit::SourceRange& at, jit::GraphFunction& function,
                                   at::ArrayRef<jit::NamedValue> arguments,
                                   at::ArrayRef<jit::NamedValue> named);

  Compiler& compiler_;
  std::shared_ptr<Class> type_;
};

/// Returns the sugared value of a function of NumPy, which a method can call for numbers only; the
/// call throws syntax::Refusal for anything else. `name` is without the module: "sqrt".
jit::SugaredValuePtr sugar_numpy(Compiler& compiler, const std::string& name);

/// Returns the sugared value of a built-in function by its name: "len", "torch.relu". Also knows
/// the names that only the lowering writes, such as "numbers" and "flat". Throws syntax::Refusal at
/// `at` if the function cannot be called while the model runs.
jit::SugaredValuePtr sugar_builtin(Compiler& compiler, const std::string& name,
                                   const jit::SourceRange& at);

/// Returns the sugared value of a function of einops that is compiled for its pattern; `name` is
/// without the module: "rearrange". Refuses every other name at `at`.
jit::SugaredValuePtr sugar_einops(Compiler& compiler, const std::string& name,
                                  const jit::SourceRange& at);

/// Returns LibTorch's operator of a function: "torch.relu", "math.sqrt". Its calls convert ints to
/// floats where every overload takes a float, as Python does. Returns null if LibTorch has no such
/// operator; throws syntax::Refusal at `at` if a model must not call it.
jit::SugaredValuePtr sugar_operator(Compiler& compiler, const std::string& name,
                                    const jit::SourceRange& at);

}  // namespace knead::engine::model
