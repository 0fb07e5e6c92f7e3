#include "runner/engine/model/compile/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include <c10/util/ScopeExit.h>

#include "runner/engine/model/compile/annotation.h"
#include "runner/engine/model/compile/sugar.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/values/walk.h"

namespace knead::engine::model {
namespace {

/// Provides `self` to the methods of one class as a ModuleSugar.
class OurSelf : public jit::Self {
 public:
  OurSelf(Compiler& compiler, ModuleClass& type) : compiler_(compiler), type_(type) {}
  jit::SugaredValuePtr makeSugared(jit::Value* value) const override {
    value->setType(type_.type);
    return std::make_shared<ModuleSugar>(compiler_, value, type_);
  }
  c10::ClassTypePtr getClassType() const override { return type_.type; }

 private:
  Compiler& compiler_;
  ModuleClass& type_;
};

/// Turns warnings of the emitter into errors. The emitter warns on standard error about a list with
/// items of several types, which is a mistake in a model that computes with tensors.
class WarningsRefused : c10::WarningHandler {
 public:
  explicit WarningsRefused(const Compiler& compiler) : compiler_(compiler), guard_(this) {}
  void process(const c10::Warning& warning) override {
    throw_compile_error(warning.msg(), compiler_.sources());
  }

 private:
  const Compiler& compiler_;
  c10::WarningUtils::WarningHandlerGuard guard_;
};

/// Adds the classes of an object and of its submodules.
void collect_classes(const Object& object, std::set<const Class*>& classes) {
  classes.insert(object.type.get());
  for (const auto& [name, module] : object.modules) {
    if (module) collect_classes(*module, classes);
  }
}

/// The prefix of the texts of Compiler::pass(); no source can contain a text that begins with a
/// NUL.
constexpr std::string_view kPassed("\0passed ", 8);

std::set<const Class*> classes_below(const Object& root) {
  std::set<const Class*> classes;
  collect_classes(root, classes);
  return classes;
}

/// Replaces characters that TorchScript does not allow in a qualified name, as in "my-model".
std::string identifier(const std::string& name) {
  std::string result;
  for (const char letter : name) {
    const bool fits =
        std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '.';
    result += fits ? letter : '_';
  }
  return result;
}

}  // namespace

Compiler::Compiler(Program& program, const std::shared_ptr<Object>& root)
    : program_(program), root_(root), python_(program, {}), changes_(classes_below(*root)) {}

Compiler::~Compiler() = default;

jit::Module Compiler::compile() {
  jit::Module module = module_of(root_);
  compile_forward(*class_for(root_));
  check_graphs(*this);
  return module;
}

Sources Compiler::sources() const {
  Sources sources;
  for (const auto& file : program_.files) sources.push_back(file->file->source);
  return sources;
}

schema::Place Compiler::returns_at() {
  const auto forward = forward_of(*root_);
  const Class& type = *root_->type;
  std::optional<schema::Place> place;
  if (forward && forward->definition && forward->file->file->source->is_file()) {
    for_each_statement(forward->definition->body, [&](const syntax::Statement& statement) {
      const bool returns = std::holds_alternative<syntax::Return>(statement.kind);
      if (returns && !place) place = forward->file->file->place(statement.range);
    });
  }
  if (place) return *place;
  const bool is_users = type.file != nullptr && type.file->file->source->is_file();
  if (is_users) return type.file->file->place(type.definition->name_range);
  // The root is a layer that a function of the file returned, so the start of the first file of the
  // user is used.
  for (const auto& file : program_.files) {
    if (file->file->source->is_file()) return file->file->place({0, 1});
  }
  return {};
}

std::shared_ptr<jit::Source> Compiler::source_of(const FileValues& file) {
  auto& source = sources_[&file];
  if (!source) {
    const auto& text = *file.file->source;
    // The name and the line numbers of the source appear in errors at run time, from which
    // place_of() finds the file.
    source = std::make_shared<jit::Source>(text.text(), text.name(), 1);
  }
  return source;
}

std::string Compiler::qualified_name(const FileValues* file, const std::string& name) const {
  return identifier("__torch__." + (file ? file->module + "." : std::string("knead.")) + name);
}

schema::Place Compiler::place(const jit::SourceRange& at) const {
  for (const auto& [file, source] : sources_) {
    if (source == at.source()) return {file->file->source, at.start(), at.end()};
  }
  return {};
}

bool Compiler::is_in_layer(const jit::SourceRange& at) const {
  return std::any_of(sources_.begin(), sources_.end(), [&](const auto& entry) {
    return entry.second == at.source() && is_layer(*entry.first);
  });
}

void Compiler::refuse(const jit::SourceRange& at, const std::string& message,
                      const std::string& remedy) const {
  const schema::Place where = place(at);
  if (!where) throw Error(message, remedy);
  throw syntax::Refusal("model-refused", where, message, remedy);
}

FindName Compiler::find_name(const Function& function) const {
  return [&function](const std::string& name) -> const Value* {
    for (Scope* scope = function.closure.get(); scope; scope = scope->outer.get()) {
      if (const Value* value = scope->find(name)) return value;
    }
    return function.file->globals->find(name);
  };
}

// The recipe's data are the arguments of the root's forward, so no call gives the parameter types.
// A parameter has the type of its annotation, else of its default, else Tensor.
std::vector<LoweredParameter> Compiler::parameters_of_forward(const Function& forward, Names& names,
                                                              const Statics& statics) {
  std::vector<LoweredParameter> result;
  std::size_t fallback = 0;
  const auto& parameters = forward.definition->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = parameters[i];
    if (i == 0) {
      result.push_back({parameter.name, "", std::nullopt});
      continue;
    }
    using Kind = syntax::Parameter::Kind;
    if (parameter.kind == Kind::keywords) continue;  // a recipe gives inputs by name only
    if (parameter.kind == Kind::rest) {
      throw syntax::Refusal("model-refused", forward.file->file->place(parameter.range),
                            "the inputs of a model have names", "write them out");
    }
    LoweredParameter lowered{parameter.name, "", std::nullopt};
    if (parameter.fallback) lowered.fallback = forward.fallbacks.at(fallback++);
    if (parameter.annotation) {
      lowered.type = *names.refer_type(*parameter.annotation, statics, true);
    } else if (lowered.fallback && !is_none(*lowered.fallback)) {
      const auto typed = to_typed(*lowered.fallback, nullptr, shared_);
      lowered.type = names.refer_type(typed ? typed->type : c10::TensorType::get());
    } else if (lowered.fallback) {
      lowered.type = names.refer_type(c10::OptionalType::create(c10::TensorType::get()));
    } else {
      lowered.type = names.refer_type(c10::TensorType::get());
    }
    result.push_back(std::move(lowered));
  }
  return result;
}

void Compiler::compile_forward(ModuleClass& type) {
  const auto forward = forward_of(*type.example);
  if (!forward) {
    const Class& python_type = *type.example->type;
    throw syntax::Refusal(
        "model-refused", python_type.file->file->place(python_type.definition->name_range),
        fmt::format("'{}' has no forward", python_type.name), "write def forward(self, x)");
  }
  auto names = std::make_shared<Names>(*this, *forward, &type);
  Statics statics(*forward, type.example, changes_, python_);
  statics.bind(forward->definition->parameters.at(0).name, Value(type.example));
  bind_no_keywords(*forward, statics);
  const auto parameters = parameters_of_forward(*forward, *names, statics);
  const jit::Function* defined = define(*forward, "forward", &type, parameters, statics, names);
  const auto returned = defined->getSchema().returns().at(0).type()->kind();
  const auto place = forward->file->file->place(forward->definition->name_range);
  if (returned == c10::TypeKind::NoneType) {
    throw syntax::Refusal("model-refused", place, "forward returns nothing",
                          "write return at its end");
  }
  if (returned == c10::TypeKind::OptionalType) {
    throw syntax::Refusal("model-refused", place, "what forward returns may be None",
                          "write a return for every way through it; where a variable is None at "
                          "first: assert it is not None");
  }
}

jit::Function* Compiler::define(const Function& function, const std::string& name,
                                ModuleClass* self, const std::vector<LoweredParameter>& parameters,
                                Statics& statics, const std::shared_ptr<Names>& names) {
  names_.push_back(names);
  WarningsRefused warnings(*this);
  // Each failed try may reveal the type of one variable that is None at first, so the loop ends
  // when the function compiles or an error reveals no new type.
  while (true) {
    // Lowering changes the known values, so every try starts from a copy.
    Statics fresh = statics;
    try {
      return define_once(function, name, self, parameters, fresh, names);
    } catch (const jit::ErrorReport& report) {
      if (!names->learn_type(report.what()) && !names->doubt_returns(report.what()))
        throw_compile_error(report.what(), sources());
    } catch (const c10::Error& error) {
      throw_compile_error(error.what_without_backtrace(), sources());
    }
    if (!self) continue;  // a second try gets a new mangled name
    self->type->unsafeRemoveMethod(name);
    unit_->unsafeRemoveMethod(c10::QualifiedName(*self->type->name(), name));
  }
}

jit::Function* Compiler::define_once(const Function& function, const std::string& name,
                                     ModuleClass* self,
                                     const std::vector<LoweredParameter>& parameters,
                                     Statics& statics, const std::shared_ptr<Names>& names) {
  const auto source = source_of(*function.file);
  submodules_.emplace_back();
  const auto end = c10::make_scope_exit([&] { submodules_.pop_back(); });
  if (self) {
    const jit::Def def = lower(name, parameters, statics, *names, source);
    const OurSelf our_self(*this, *self);
    return unit_->define(*self->type->name(), {}, {}, {def}, {names}, &our_self).at(0);
  }
  const auto mangled = unit_->mangle(c10::QualifiedName(qualified_name(function.file, name)));
  const jit::Def def = lower(mangled.name(), parameters, statics, *names, source);
  return unit_->define(c10::QualifiedName(mangled.prefix()), {}, {}, {def}, {names}, nullptr).at(0);
}

std::string Compiler::pass(const Value& value) {
  passed_.push_back(value);
  return fmt::format("{}{}", kPassed, passed_.size() - 1);
}

const Value* Compiler::passed(const jit::Value& argument) const {
  const auto constant = jit::toIValue(&argument);
  if (!constant || !constant->isString()) return nullptr;
  const std::string& text = constant->toStringRef();
  return text.starts_with(kPassed) ? &passed_.at(std::stoul(text.substr(kPassed.size()))) : nullptr;
}

// The paths are those of the example; the modules of a class have equal children.
const std::vector<std::string>* ModuleClass::path_to(const Object* module) {
  if (paths_.empty()) {
    std::vector<std::pair<const Object*, std::vector<std::string>>> open = {{example.get(), {}}};
    while (!open.empty()) {
      auto [object, path] = std::move(open.back());
      open.pop_back();
      if (!paths_.emplace(object, path).second) continue;
      for (const auto& [name, child] : object->modules) {
        if (!child) continue;
        auto longer = path;
        longer.push_back(name);
        open.emplace_back(child.get(), std::move(longer));
      }
    }
  }
  const auto found = paths_.find(module);
  return found == paths_.end() ? nullptr : &found->second;
}

}  // namespace knead::engine::model
