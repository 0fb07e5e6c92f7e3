#include "runner/engine/model/source/interpreted.h"

#include <algorithm>

#include <fmt/format.h>
#include <torch/csrc/jit/api/module.h>

#include <ATen/core/builtin_function.h>

#include "runner/engine/model/compile/compile.h"
#include "runner/engine/model/module/scripted.h"
#include "runner/engine/model/operators/model_device.h"
#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/source/modules.h"
#include "runner/engine/model/source/values.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {
namespace {

using c10::FunctionSchema;

bool are_at_one_line(const schema::Place& one, const schema::Place& other) {
  if (!one || !other || one.source != other.source) return false;
  return one.source->line_of(one.begin) == other.source->line_of(other.begin);
}

/// Returns the result of a module for a watcher; None for a value that only the source understands.
c10::IValue shown(const Value& result) {
  try {
    return to_result(result);
  } catch (const Mistake&) {
    return {};
  }
}

/// Runs forward by the evaluator, which keeps the objects; the modules of TorchScript hold their
/// tensors for the rest of the program.
class EvaluatedModel : public Interpreter, private CallListener {
 public:
  EvaluatedModel(std::unique_ptr<Evaluated> made, const torch::jit::Module& module,
                 const syntax::Refusal& reason)
      : made_(std::move(made)),
        reason_(reason),
        modules_(made_->root, module, made_->program),
        forward_(*made_->root->type->find("forward")) {
    made_->evaluator.listen(this);
  }

  const syntax::Refusal& reason() const override { return reason_; }

  bool has_forward(const c10::ivalue::Object& module) const override {
    return modules_.object_of(module).type->find("forward") != nullptr;
  }

  void watch(Watcher& watcher, const ModulePlaces& places) override {
    watcher_ = &watcher;
    places_ = &places;
  }

  std::vector<Attribute> attributes() const override { return modules_.attributes(); }
  void set_attributes(const std::vector<Attribute>& attributes) override {
    modules_.set_attributes(attributes);
  }

  /// Replaces the arguments on the stack, of which the first is the module, by the result. If the
  /// first run fails at the line that could not be compiled, the compiler's words are thrown.
  void run(const FunctionSchema& schema, torch::jit::Stack& stack) {
    try {
      run_once(schema, stack);
      has_run_ = true;
    } catch (const syntax::Refusal& refusal) {
      const bool is_same = are_at_one_line(refusal.problem().place, reason_.problem().place);
      if (!has_run_ && (is_same || !has_result_)) throw reason_;
      throw;
    }
  }

 private:
  void run_once(const FunctionSchema& schema, torch::jit::Stack& stack) {
    has_result_ = true;
    modules_.read_tensors();
    Evaluator& evaluator = made_->evaluator;
    evaluator.begin_anew();
    const ComputeDevice device(modules_.device());
    const auto* function = as<Function>(forward_);
    const FileValues& file = function ? *(*function)->file : *made_->program.files.front();
    const syntax::Range at = function ? (*function)->definition->name_range : syntax::Range{0, 1};
    stack.front() = evaluator.in_file(file, at, [&] {
      Arguments arguments{{made_->root}, {}};
      for (std::size_t i = 1; i < stack.size(); ++i) {
        Value value = to_python(stack[i]);
        // nn.Sequential, which has no source, takes its input by position.
        if (function) {
          arguments.named.emplace_back(schema.arguments()[i].name(), std::move(value));
        } else {
          arguments.positional.push_back(std::move(value));
        }
      }
      const Value result = evaluator.call(forward_, arguments);
      has_result_ = false;
      c10::IValue converted = to_result(result);
      has_result_ = !converted.isNone();
      return converted;
    });
    if (!has_result_ && !has_run_) throw reason_;
    stack.resize(1);
    modules_.write_tensors();
  }

  void entered(const Object& module) override {
    if (modules_.module_of(module) == nullptr && !modules_.holds_parameters_of(module)) {
      throw Mistake(
          fmt::format("this {} is not part of the model, so it is not trained", module.type->name),
          "assign it in __init__: self.name = …; several go into an nn.ModuleList or "
          "nn.ModuleDict: else PyTorch does not train them either");
    }
    if (const auto place = place_of(module)) watcher_->entered(*place);
  }

  void left(const Object& module, const Value& result) override {
    if (const auto place = place_of(module)) watcher_->left(*place, shown(result));
  }

  /// Returns where a watched module is in the list of modules.
  std::optional<std::size_t> place_of(const Object& module) const {
    const auto* compiled = watcher_ ? modules_.module_of(module) : nullptr;
    if (compiled == nullptr) return std::nullopt;
    const auto found = places_->find(compiled);
    return found == places_->end() ? std::nullopt : std::optional(found->second);
  }

  std::unique_ptr<Evaluated> made_;
  syntax::Refusal reason_;
  Modules modules_;
  Value forward_;
  bool has_run_ = false;
  bool has_result_ = true;  // false while forward returned what the program cannot use
  Watcher* watcher_ = nullptr;
  const ModulePlaces* places_ = nullptr;
};

/// Returns the parameters of forward; throws `reason` if a recipe cannot name them.
std::vector<c10::Argument> arguments_of(const Object& root, const c10::TypePtr& self,
                                        const syntax::Refusal& reason) {
  const Value* forward = root.type->find("forward");
  if (forward == nullptr) throw reason;
  std::vector<c10::Argument> arguments{c10::Argument("self", self)};
  const auto add = [&](const std::string& name, std::optional<c10::IValue> fallback) {
    arguments.emplace_back(name, c10::AnyType::get(), std::nullopt, std::move(fallback));
  };
  const auto* function = as<Function>(*forward);
  if (!function) {
    add("input", std::nullopt);
    return arguments;
  }
  if ((*function)->definition == nullptr) throw reason;
  std::size_t fallback = 0;
  for (const syntax::Parameter& parameter : (*function)->definition->parameters) {
    using Kind = syntax::Parameter::Kind;
    if (parameter.kind == Kind::rest) throw reason;
    const bool is_self = &parameter == &(*function)->definition->parameters.front();
    const Value* value = parameter.fallback ? &(*function)->fallbacks.at(fallback++) : nullptr;
    if (is_self || parameter.kind == Kind::keywords) continue;
    if (value == nullptr) {
      add(parameter.name, std::nullopt);
      continue;
    }
    // A default without a TorchScript value, such as a function, is that of the source.
    if (is_none(*value)) {
      add(parameter.name, c10::IValue());
    } else if (auto known = to_kept(*value)) {
      add(parameter.name, std::move(known));
    }
  }
  return arguments;
}

std::string warning_of(const syntax::Refusal& reason) {
  const schema::Problem& problem = reason.problem();
  return fmt::format(
      "{}: {}: this model is interpreted, which takes longer than compiled code, and cannot be "
      "exported as TorchScript",
      schema::to_string(problem.place), problem.message);
}

}  // namespace

Evaluated::Evaluated(const Request& request)
    : evaluator(program, request.source.parent_path()), root(evaluate(request, evaluator)) {}

std::unique_ptr<Model> interpret(std::unique_ptr<Evaluated> made, const syntax::Refusal& reason) {
  torch::jit::Module module = assemble(made->root, made->program);
  const Object& root = *made->root;
  std::vector<std::shared_ptr<const schema::Source>> sources;
  for (const auto& file : made->program.files) sources.push_back(file->file->source);
  auto kinds = kinds_of(root);
  const schema::Place place = returns_at(made->root, made->program);

  const FunctionSchema schema("forward", "", arguments_of(root, module.type(), reason),
                              {c10::Argument("", c10::AnyType::get())});
  auto interpreter = std::make_shared<EvaluatedModel>(std::move(made), module, reason);
  auto forward = std::make_unique<torch::jit::BuiltinOpFunction>(
      c10::QualifiedName(*module.type()->name(), "forward"), schema,
      [schema, model = interpreter.get()](torch::jit::Stack& stack) { model->run(schema, stack); });
  module.type()->addMethod(forward.get());

  auto parts = take_apart(module);
  parts->attributes.clear();  // the interpreter keeps them
  parts->interpreter = std::move(interpreter);
  parts->interpreted_forward = std::move(forward);
  parts->sources = std::move(sources);
  parts->returns_at = place;
  parts->kinds = std::move(kinds);
  parts->warnings.push_back(warning_of(reason));
  return std::make_unique<Model>(std::move(parts));
}

}  // namespace knead::engine::model
