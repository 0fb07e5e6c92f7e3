#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/engine/model/compile/compiler.h"
#include "runner/syntax/binding/bind_call.h"

namespace knead::engine::model {

/// Returns the parameters of a function or a lambda, self among them.
inline const std::vector<syntax::Parameter>& parameters_of(const Function& function) {
  return function.definition ? function.definition->parameters : function.lambda->parameters;
}

/// A call whose arguments are being bound to the parameters of the callee.
struct Compiler::Call {
  struct Parameter {
    const syntax::Parameter* parameter = nullptr;
    const Value* fallback = nullptr;  // the default; null if there is none
    jit::Value* given = nullptr;      // null if not given
    std::optional<Value> fixed{};     // the value if it is known
    bool passed = true;               // false for a fixed value that the body never assigns
    c10::TypePtr type{};              // the type if it is passed
    ModuleClass* module = nullptr;    // the class if it is a module
    bool is_context = false;          // of a torch.autograd.Function
  };

  Compiler& compiler;
  const std::shared_ptr<Function>& callee;
  ModuleClass* self;
  const std::string& name;
  const jit::SourceRange& at;
  jit::Graph& graph;
  at::ArrayRef<jit::NamedValue> arguments;  // without self
  at::ArrayRef<jit::NamedValue> named;
  std::vector<Parameter> parameters{};       // without self
  std::deque<syntax::Parameter> captured{};  // the parameters of captured variables

  void bind();
  void decide();
  std::string key() const;

 private:
  std::vector<syntax::Slot> slots() const;
  jit::Value* argument_in(const syntax::Slot& slot) const;
  bool take_other(Parameter& parameter);
  [[noreturn]] void refuse(const std::string& problem, const std::string& remedy = "") const;
  std::string remedy_for(const syntax::Fault& fault) const;
};

}  // namespace knead::engine::model
