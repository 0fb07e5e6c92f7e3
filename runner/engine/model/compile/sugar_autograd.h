#pragma once

#include "runner/engine/model/compile/compiler.h"

namespace knead::engine::model {

/// Returns whether a class is derived from torch.autograd.Function.
bool is_autograd_function(const Class& type);

/// Stands for F.apply of a torch.autograd.Function.
class ApplySugar : public jit::SugaredValue {
 public:
  ApplySugar(Compiler& compiler, std::shared_ptr<Class> type)
      : compiler_(compiler), type_(std::move(type)) {}

  std::string kind() const override { return "function"; }
  jit::SugaredValuePtr call(const jit::SourceRange& at, jit::GraphFunction& function,
                            at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named, std::size_t binders) override;

 private:
  Compiler& compiler_;
  std::shared_ptr<Class> type_;
};

/// Stands for the context of a torch.autograd.Function. An assignment of an attribute adds it to
/// the class of the context, with the type of the value.
class ContextSugar : public jit::SugaredValue {
 public:
  ContextSugar(Compiler& compiler, jit::Value* context) : compiler_(compiler), context_(context) {}

  std::string kind() const override { return "context"; }
  jit::Value* asValue(const jit::SourceRange&, jit::GraphFunction&) override { return context_; }
  jit::SugaredValuePtr attr(const jit::SourceRange& at, jit::GraphFunction& function,
                            const std::string& name) override;
  void setAttr(const jit::SourceRange& at, jit::GraphFunction& function, const std::string& name,
               jit::Value* value) override;

 private:
  Compiler& compiler_;
  jit::Value* context_;
};

}  // namespace knead::engine::model
