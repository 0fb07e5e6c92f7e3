#include "runner/front/check/check_module.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "runner/front/check/own_attributes.h"
#include "runner/syntax/classes.h"
#include "runner/syntax/walk.h"
#include "schema/document/suggest.h"

namespace knead::front {
namespace {

using schema::Severity;
using syntax::Expression;
using syntax::Function;
using syntax::Statement;

const syntax::Attribute* init_of_super(const Expression& one) {
  const auto* attribute = std::get_if<syntax::Attribute>(&one.kind);
  const bool is_init = attribute && attribute->name == "__init__";
  const auto* call = is_init ? std::get_if<syntax::Call>(&attribute->value->kind) : nullptr;
  return call && syntax::dotted_name(*call->callee) == "super" ? attribute : nullptr;
}

/// Finds whether a method calls any __init__, and a statement super().__init__ without its call.
struct SuperCalls {
  bool found = false;
  const Expression* uncalled = nullptr;

  void operator()(const Statement& one) {
    const auto* alone = std::get_if<syntax::ExpressionStatement>(&one.kind);
    if (alone && init_of_super(alone->value)) uncalled = &alone->value;
    syntax::for_each_child(one, *this);
  }
  void operator()(const Expression& one) {
    const auto* call = std::get_if<syntax::Call>(&one.kind);
    const auto* callee = call ? std::get_if<syntax::Attribute>(&call->callee->kind) : nullptr;
    if (callee && callee->name == "__init__") found = true;
    syntax::for_each_child(one, *this);
  }
};

/// Collects the return statements of a function, without those of nested functions.
struct Returns {
  std::vector<const syntax::Return*> found;
  std::vector<syntax::Range> places;

  void operator()(const Expression&) {}
  void operator()(const Statement& one) {
    if (const auto* returned = std::get_if<syntax::Return>(&one.kind)) {
      found.push_back(returned);
      places.push_back(one.range);
    }
    if (!std::holds_alternative<Function>(one.kind)) syntax::for_each_child(one, *this);
  }
};

class ModuleCheck {
 public:
  ModuleCheck(const CheckedModule& module, schema::Problems& problems)
      : module_(module), one_(*module.found.definition), problems_(problems) {}

  void check() {
    check_super();
    check_init();
    check_objects();
    check_plain_tensors();
    if (module_.is_built) check_forward();
    if (module_.is_built && module_.loss == "cross_entropy") check_softmax();
  }

 private:
  void report(Severity severity, syntax::Range range, std::string message, std::string hint) {
    problems_.push_back({"model-failed", module_.found.file->place(range), std::move(message),
                         std::move(hint), severity});
  }

  Severity severity() const { return module_.is_built ? Severity::error : Severity::warning; }

  /// Reports an __init__ that does not call super().__init__(). Checks only classes whose only base
  /// is nn.Module.
  void check_super() {
    const Function* const init = method_of(one_, "__init__");
    const bool is_direct =
        one_.bases.size() == 1 && is_module_itself(syntax::dotted_name(one_.bases[0]));
    if (!init || init->parameters.empty() || !is_direct) return;
    SuperCalls calls;
    for (const Statement& statement : init->body) calls(statement);
    if (calls.found) return;
    if (calls.uncalled) {
      report(severity(), calls.uncalled->range, "super().__init__ is not called",
             "write its parentheses: super().__init__()");
    } else {
      report(severity(), init->name_range,
             fmt::format("{}.__init__() does not call super().__init__()", one_.name),
             "write it as the first line below");
    }
  }

  /// Reports a method with a name near __init__ that calls super().__init__(): it is meant to be
  /// the __init__.
  void check_init() {
    if (method_of(one_, "__init__")) return;
    static constexpr std::string_view kInit[] = {"__init__"};
    for (const Statement& statement : one_.body) {
      const auto* method = std::get_if<Function>(&statement.kind);
      if (!method || schema::nearest(method->name, kInit).empty()) continue;
      SuperCalls calls;
      for (const Statement& inner : method->body) calls(inner);
      if (!calls.found) continue;
      report(severity(), method->name_range, fmt::format("nobody calls '{}'", method->name),
             "did you mean '__init__'?");
    }
  }

  void check_objects() {
    for (const Statement& statement : one_.body) {
      const auto* function = std::get_if<Function>(&statement.kind);
      if (!function || !function->decorators.empty() || !function->parameters.empty()) continue;
      const bool is_run = function->name == "__init__" || function->name == "forward";
      report(is_run ? severity() : Severity::warning, function->name_range,
             fmt::format("{}() has no parameter for its object", function->name),
             fmt::format("write def {}(self)", function->name));
    }
  }

  /// Reports `self.scale = torch.ones(3, requires_grad=True)`, which is not a parameter.
  void check_plain_tensors() {
    const Function* const init = method_of(one_, "__init__");
    if (!init) return;
    for (const Statement& statement : init->body) {
      const auto* assign = std::get_if<syntax::Assign>(&statement.kind);
      const auto* made = assign ? std::get_if<syntax::Call>(&assign->value.kind) : nullptr;
      if (!made || !wants_gradient(*made) || assign->targets.size() != 1) continue;
      const std::string target = syntax::dotted_name(assign->targets[0]);
      if (!target.starts_with("self.")) continue;
      report(Severity::warning, assign->targets[0].range,
             fmt::format("'{}' is no parameter: it is never trained", target.substr(5)),
             "write nn.Parameter(…) around what is assigned");
    }
  }

  static bool wants_gradient(const syntax::Call& made) {
    const std::string callee = syntax::dotted_name(*made.callee);
    if (callee.ends_with("Parameter")) return false;
    return std::any_of(made.keywords.begin(), made.keywords.end(), [](const auto& keyword) {
      const auto* value = std::get_if<syntax::Constant>(&keyword.value->kind);
      return keyword.name == "requires_grad" && value && *value == syntax::Constant::true_;
    });
  }

  /// Returns whether a class or one of its bases may have a forward. A base outside of the model's
  /// files may have one.
  bool may_have_forward(const FoundClass& found, int depth) const {
    constexpr int kMostSteps = 64;
    const auto members = syntax::bound_names(found.definition->body);
    if (members.contains("forward") || depth > kMostSteps) return true;
    for (const Expression& base : found.definition->bases) {
      const std::string name = syntax::dotted_name(base);
      if (is_module_itself(name)) continue;
      const Meaning meaning = module_.files.meaning(*found.file, name);
      if (meaning.kind != Meaning::Kind::a_class) return true;
      if (may_have_forward(meaning.found, depth + 1)) return true;
    }
    return false;
  }

  void check_forward() {
    if (may_have_forward(module_.found, 0)) return;
    report(Severity::error, one_.name_range, fmt::format("'{}' has no forward", one_.name),
           hint_for_forward());
  }

  std::size_t line_of(const Function& function) const {
    return static_cast<std::size_t>(module_.found.file->place(function.name_range).line());
  }

  /// Returns the remedy for a missing forward, by likely mistakes: __call__ in its place, wrong
  /// indentation, a misspelt name.
  std::string hint_for_forward() const {
    if (const Function* call = method_of(one_, "__call__")) {
      return fmt::format("rename __call__, at line {}: PyTorch calls forward", line_of(*call));
    }
    for (const Statement& statement : one_.body) {
      const auto* method = std::get_if<Function>(&statement.kind);
      if (!method) continue;
      for (const Statement& inner : method->body) {
        const auto* nested = std::get_if<Function>(&inner.kind);
        if (!nested || nested->name != "forward") continue;
        return fmt::format("forward, at line {}, stands inside {}: indent it less",
                           line_of(*nested), method->name);
      }
    }
    for (const Statement& statement : module_.found.file->body) {
      const auto* function = std::get_if<Function>(&statement.kind);
      if (!function || function->name != "forward") continue;
      return fmt::format("forward, at line {}, stands outside of the class: indent it",
                         line_of(*function));
    }
    return near_forward();
  }

  std::string near_forward() const {
    static constexpr std::string_view kForward[] = {"forward"};
    for (const Statement& statement : one_.body) {
      const auto* method = std::get_if<Function>(&statement.kind);
      if (!method || schema::nearest(method->name, kForward).empty()) continue;
      return fmt::format("did you mean 'forward' where line {} says '{}'?", line_of(*method),
                         method->name);
    }
    return "write def forward(self, x)";
  }

  /// Returns whether a value is `F.softmax(x)`, `x.softmax()`, or the call of an attribute that
  /// __init__ makes of nn.Softmax.
  bool is_softmax(const Expression& value) const {
    const auto* call = std::get_if<syntax::Call>(&value.kind);
    const auto* callee = call ? std::get_if<syntax::Attribute>(&call->callee->kind) : nullptr;
    if (!callee) return false;
    const auto* self = std::get_if<syntax::Name>(&callee->value->kind);
    if (self && self->id == "self") return is_made_of_softmax(callee->name);
    return callee->name == "softmax";
  }

  bool is_made_of_softmax(const std::string& attribute) const {
    const Function* const init = method_of(one_, "__init__");
    if (!init) return false;
    return std::any_of(init->body.begin(), init->body.end(), [&](const Statement& statement) {
      const auto* assign = std::get_if<syntax::Assign>(&statement.kind);
      const auto* made = assign ? std::get_if<syntax::Call>(&assign->value.kind) : nullptr;
      if (!made || assign->targets.size() != 1) return false;
      return syntax::dotted_name(assign->targets[0]) == "self." + attribute &&
             syntax::dotted_name(*made->callee).ends_with("nn.Softmax");
    });
  }

  void check_softmax() {
    const Function* const forward = method_of(one_, "forward");
    if (!forward) return;
    Returns returns;
    for (const Statement& statement : forward->body) returns(statement);
    for (std::size_t i = 0; i < returns.found.size(); ++i) {
      if (!returns.found[i]->value || !is_softmax(*returns.found[i]->value)) continue;
      report(Severity::warning, returns.places[i],
             "loss: cross_entropy takes the softmax itself: of a softmax it learns badly",
             "return what the softmax is given");
    }
  }

  const CheckedModule& module_;
  const syntax::Class& one_;
  schema::Problems& problems_;
};

}  // namespace

void check_module(const CheckedModule& module, schema::Problems& problems) {
  ModuleCheck(module, problems).check();
}

}  // namespace knead::front
