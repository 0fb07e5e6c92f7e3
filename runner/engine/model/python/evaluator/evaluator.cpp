#include "runner/engine/model/python/evaluator/evaluator.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <variant>

#include <fmt/format.h>

#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include "runner/engine/model/explain/module_files.h"
#include "runner/engine/model/operators/model_device.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/evaluator/settings.h"
#include "runner/engine/model/values/stack.h"
#include "runner/engine/model/values/work.h"

namespace knead::engine::model {
Evaluator::Evaluator(Program& program, const std::filesystem::path& folder, Limits limits)
    : program_(program),
      folders_(search_folders(folder)),
      limits_(limits),
      parts_before_(counted_parts()),
      builtins_(std::make_shared<Scope>()) {}

Evaluator::~Evaluator() = default;

FileValues& Evaluator::run(std::shared_ptr<const syntax::File> file, const std::string& module,
                           std::shared_ptr<Scope> globals) {
  auto values = std::make_unique<FileValues>();
  values->module = module;
  values->file = std::move(file);
  values->globals = std::move(globals);
  values->globals->set("__name__", module);
  FileValues& here = *program_.files.emplace_back(std::move(values));
  const std::size_t depth = frames_.size();
  frames_.push_back({.file = &here, .scope = here.globals, .names = here.globals});
  execute(here.file->body);
  frames_.resize(depth);
  return here;
}

// --- calls

Value Evaluator::call(const Value& callee, const Arguments& arguments, syntax::Range at) {
  expect_stack();
  if (const auto* builtin = as<Builtin>(callee)) return call_builtin(**builtin, arguments, at);
  if (const auto* function = as<Function>(callee)) return call_function(*function, arguments);
  if (const auto* type = as<Class>(callee)) return construct(*type, arguments, at);
  if (const auto* method = as<BoundMethod>(callee)) {
    // A bound method passes its object as the first argument.
    spend(4 * std::ssize(arguments.positional));  // many if an object calls an object without end
    Arguments all = arguments;
    all.positional.insert(all.positional.begin(), (*method)->self);
    return call((*method)->function, all, at);
  }
  if (const auto* object = as<Object>(callee)) {
    const Value* member = (*object)->type->find("__call__");
    if (member != nullptr) {
      return call(std::make_shared<BoundMethod>(BoundMethod{callee, *member}), arguments, at);
    }
  }
  throw Mistake(fmt::format("'{}' object is not callable", type_name(available(callee))));
}

namespace {

/// States how many steps a call of a function takes as long as, besides those of its statements.
constexpr std::int64_t kStepsOfCall = 6;

/// Frees a scope whose functions refer to it and that nothing else refers to. Otherwise every call
/// of a function with a function inside would keep its tensors.
void free_functions(const std::shared_ptr<Scope>& scope) {
  const auto is_own = [&](const std::pair<std::string, Value>& entry) {
    const auto* function = as<Function>(entry.second);
    return function && (*function)->closure == scope && function->use_count() == 1;
  };
  const auto own = std::count_if(scope->names.begin(), scope->names.end(), is_own);
  if (own > 0 && scope.use_count() == own + 1) NamedValues().swap(scope->names);
}

}  // namespace

namespace {

/// Returns the result of a function of C++. What it did not expect, and what no memory is left for,
/// is a mistake of the source.
template <typename Call>
Value run_guarded(const Call& call) {
  try {
    return call();
  } catch (const std::bad_variant_access&) {
    throw Mistake("a value of another type is expected here");
  } catch (const std::out_of_range&) {
    throw Mistake("there are fewer arguments or items here than expected");
  } catch (const std::length_error&) {
    throw Mistake("this is too long");
  } catch (const std::bad_alloc&) {
    throw Mistake("there is no memory for this");
  }
}

}  // namespace

// A function of C++ takes no longer, and gives no longer text, than in proportion to the texts that
// it gets and returns; those that make lists count their items themselves.
Value Evaluator::call_builtin(const Builtin& builtin, const Arguments& arguments,
                              syntax::Range at) {
  for (const Value& value : arguments.positional) spend(text_steps(value));
  Value result = run_guarded([&] { return builtin.call(*this, arguments, at); });
  spend(text_steps(result));
  return result;
}

Value Evaluator::call_function(const std::shared_ptr<Function>& function,
                               const Arguments& arguments) {
  spend(kStepsOfCall);
  auto scope = std::make_shared<Scope>();
  scope->outer = function->closure;
  bind(*function, arguments, *scope);
  if (function->yields) return generator(function, scope);

  const c10::AutoGradMode gradients(c10::GradMode::is_enabled() && !function->no_grad);
  frames_.push_back(
      {.file = function->file, .scope = scope, .names = scope, .function = function.get()});
  Value result = None{};
  if (function->lambda != nullptr) {
    result = evaluate(*function->lambda->body);
  } else if (execute(function->definition->body) == Flow::return_) {
    result = std::move(frames_.back().result);
  }
  frames_.pop_back();
  free_functions(scope);
  return result;
}

std::optional<Value> Evaluator::call_method(const Value& of, const std::string& name,
                                            Values arguments) {
  if (!as<Object>(of) && !is_of_numpy(of)) return std::nullopt;
  const Value* member = type_of(of)->find(name);
  if (member == nullptr) return std::nullopt;
  arguments.insert(arguments.begin(), of);
  return call(*member, {.positional = std::move(arguments), .named = {}});
}

Value Evaluator::call_module(const std::shared_ptr<Object>& module, const Arguments& arguments) {
  const Value* forward = module->type->find("forward");
  if (forward == nullptr) {
    throw Mistake(fmt::format("Module [{}] is missing the required \"forward\" function",
                              module->type->name));
  }
  if (listener_ == nullptr) return call(*forward, arguments);
  listener_->entered(*module);
  Value result = call(*forward, arguments);
  listener_->left(*module, result);
  return result;
}

void Evaluator::begin_anew() {
  frames_.clear();
  handled_.clear();
  steps_ = 0;
  parts_before_ = counted_parts();
  stack_ = nullptr;
  is_exhausted_ = false;
}

// --- parameters

bool Evaluator::is_parameter(const at::Tensor& tensor) const {
  return is_parameter_.contains(tensor.unsafeGetTensorImpl());
}

at::Tensor Evaluator::make_parameter(const at::Tensor& tensor, bool requires_grad) {
  if (is_model_running()) {
    throw Mistake("a parameter is made while the model runs, so it is not trained",
                  "make it in __init__, and keep it: self.name = …");
  }
  if (requires_grad && !tensor.is_floating_point() && !tensor.is_complex()) {
    throw Mistake("a parameter holds floating point numbers, and these are whole ones",
                  "write 1.0, or dtype=torch.float32; what is not trained is a register_buffer");
  }
  constexpr std::int64_t kStepsOfParameter = 200;  // it is kept until the model is built
  spend(kStepsOfParameter);
  at::Tensor parameter = tensor.detach();
  parameter.set_requires_grad(requires_grad);
  // The tensor is kept alive, so its address identifies it.
  parameters_.push_back(parameter);
  is_parameter_.insert(parameter.unsafeGetTensorImpl());
  return parameter;
}

// --- types and modules

void Evaluator::add_type(std::shared_ptr<Class> type) {
  program_.types[type->name] = std::move(type);
}

std::shared_ptr<Class> Evaluator::type(const std::string& name) const {
  return program_.types.at(name);
}

std::shared_ptr<Class> Evaluator::type_of(const Value& value) {
  if (const auto* object = as<Object>(value)) return (*object)->type;
  if (is_tensor(value) && is_parameter(std::get<at::Tensor>(value))) return type("Parameter");
  const std::string name = type_name(value);
  const auto known = program_.types.find(name);
  if (known != program_.types.end()) return known->second;
  // A type without methods, such as that of None, gets its class at the first question.
  auto made = std::make_shared<Class>();
  made->name = name;
  made->order = {made};
  add_type(made);
  return made;
}

namespace {

/// Returns whether a value belongs to a kind of typing, for isinstance().
bool is_kind(const Value& value, const std::string& name) {
  const bool items = sequence(value) || is_text(value) || as<Range>(value);
  if (name == "typing.Sequence") return items;
  if (name == "typing.Mapping" || name == "typing.Dict") return as<Dict>(value) != nullptr;
  if (name == "typing.List") return as<List>(value) != nullptr;
  if (name == "typing.Tuple") return as<Tuple>(value) || passes_for_tuple(value);
  if (name == "typing.Set") return as<Set>(value) != nullptr;
  if (name == "typing.Callable") {
    return as<Function>(value) || as<Builtin>(value) || as<BoundMethod>(value) || as<Class>(value);
  }
  if (name == "functools.partial") {
    const auto* object = as<Object>(value);
    return object != nullptr && (*object)->type->name == name;
  }
  if (name == "typing.Hashable") return !as<List>(value) && !as<Dict>(value) && !as<Set>(value);
  if (name == "typing.Iterable") {
    return items || as<Dict>(value) || as<Set>(value) || as<Iterator>(value) || is_tensor(value);
  }
  throw Mistake("isinstance() arg 2 must be a type, a tuple of types, or a union");
}

}  // namespace

bool Evaluator::is_instance(const Value& value, const Value& type) {
  if (const auto* types = as<Tuple>(type)) {
    expect_stack();
    for (const Value& one : (*types)->items) {
      spend(1);
      if (is_instance(value, one)) return true;
    }
    return false;
  }
  if (is_none(type)) return is_none(value);
  if (const auto* builtin = as<Builtin>(type)) return is_kind(value, (*builtin)->name);
  const auto* wanted = as<Class>(available(type));
  if (wanted == nullptr) {
    throw Mistake("isinstance() arg 2 must be a type, a tuple of types, or a union");
  }
  if (is_settings(value) && *wanted == this->type("dict")) return true;
  const auto* list = as<List>(value);
  if (list && (*list)->passes_for_tuple && *wanted == this->type("tuple")) return true;
  const auto actual = type_of(value);
  return std::find(actual->order.begin(), actual->order.end(), *wanted) != actual->order.end();
}

void Evaluator::add_module(const std::string& name, std::shared_ptr<Namespace> names) {
  modules_[name] = std::move(names);
}

}  // namespace knead::engine::model
