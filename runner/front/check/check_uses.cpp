#include "runner/front/check/check_uses.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "runner/front/check/check_calls.h"
#include "runner/front/check/foreign_packages.h"
#include "runner/front/check/own_attributes.h"
#include "runner/syntax/classes.h"
#include "schema/document/suggest.h"

namespace knead::front {
namespace {

constexpr std::string_view kNn = "torch.nn";

/// Returns the full name of a dotted name by the imports of a file: "torch.nn.Linear" for
/// `nn.Linear`; empty if its first part is not imported.
std::string full_name(const syntax::File& file, const std::string& dotted) {
  const std::size_t dot = std::min(dotted.find('.'), dotted.size());
  const std::string root = imported_as(file, dotted.substr(0, dot));
  return root.empty() ? "" : root + dotted.substr(dot);
}

bool is_lower(std::string_view name) {
  return std::none_of(name.begin(), name.end(),
                      [](unsigned char letter) { return std::isupper(letter); });
}

/// Returns the remedy for an unknown name of torch.nn: a near name, or torch.nn.functional for a
/// lower-case name such as `relu`.
std::string hint_for_layer(const std::string& name) {
  const auto names = layer_names();
  const std::string_view near = schema::nearest(name, names);
  if (near.empty()) return "";
  if (is_lower(name) && schema::folded(near) == name) {
    return fmt::format("functions are in torch.nn.functional: F.{}", name);
  }
  return fmt::format("did you mean '{}'?", near);
}

class UseCheck {
 public:
  UseCheck(const UsesOf& uses, schema::Problems& problems)
      : uses_(uses), file_(uses.files.main()), problems_(problems) {
    if (uses.reading.function) own_ = syntax::bound_names(uses.reading.function->body);
    for (const syntax::Statement& one : file_.body) {
      const auto* assign = std::get_if<syntax::Assign>(&one.kind);
      if (!assign) continue;
      for (const syntax::Expression& target : assign->targets) {
        if (const auto* to = std::get_if<syntax::Attribute>(&target.kind)) added_.insert(to->name);
      }
    }
  }

  void check() {
    for (const auto& each : uses_.reading.attributes) check_attribute(each);
    for (const auto& each : uses_.reading.calls) check_call(each);
  }

 private:
  void report(bool is_certain, syntax::Range range, std::string message, std::string hint) {
    problems_.push_back({"model-failed", file_.place(range), std::move(message), std::move(hint),
                         uses_.severity(is_certain)});
  }

  void check_attribute(const syntax::Seen<syntax::Attribute>& each) {
    const std::string of = syntax::dotted_name(*each.node->value);
    const std::string& name = each.node->name;
    if (own_.contains(of) || full_name(file_, of) != kNn) return;
    // Private names of torch.nn may exist; the embedded text does not show them.
    if (has_layer(name) || name.starts_with('_') || added_.contains(name)) return;
    report(each.is_certain, each.node->name_range,
           fmt::format("module 'torch.nn' has no attribute '{}'", name), hint_for_layer(name));
  }

  void check_call(const syntax::Seen<syntax::Call>& each) {
    const std::string callee = syntax::dotted_name(*each.node->callee);
    if (callee.empty() || own_.contains(callee.substr(0, callee.find('.')))) return;
    if (refuse_foreign(each, callee)) return;
    const Init init = init_of(callee);
    if (!init.function) return;
    // An __init__ of a private base, `_ConvNd`, is reported under the name in the file.
    const std::string name =
        init.owner.starts_with('_') ? callee.substr(callee.rfind('.') + 1) : init.owner;
    const auto wrong = wrong_call(*each.node, *init.function, name);
    if (wrong) report(each.is_certain, each.range, wrong->message, wrong->hint);
  }

  /// Reports a call of what comes from a package that models do not have, where it certainly runs:
  /// other code may use what it likes. Returns whether it did.
  bool refuse_foreign(const syntax::Seen<syntax::Call>& each, const std::string& callee) {
    const std::string name = foreign_name(uses_.files, callee);
    const bool runs = uses_.reading.function && each.is_certain &&
                      uses_.severity(true) == schema::Severity::error;
    if (!runs || name.empty()) return false;
    if (uses_.foreign.insert(name).second)
      problems_.push_back(foreign_problem(file_, *each.node->callee, name));
    return true;
  }

  Init init_of(const std::string& callee) {
    const std::string full = full_name(file_, callee);
    if (full.starts_with(kNn) && full.rfind('.') == kNn.size()) {
      return init_of_layer(full.substr(kNn.size() + 1));
    }
    const Meaning meaning = uses_.files.meaning(file_, callee);
    return meaning.kind == Meaning::Kind::a_class ? init_of_class(meaning.found) : Init{};
  }

  Init init_of_class(FoundClass found) const {
    constexpr int kMostSteps = 64;  // from class to base
    for (int step = 0; step < kMostSteps; ++step) {
      const syntax::Class& one = *found.definition;
      const auto members = syntax::bound_names(one.body);
      if (!one.decorators.empty() || !one.keywords.empty() || members.contains("__new__")) break;
      if (const syntax::Function* own = method_of(one, "__init__")) return {own, one.name};
      if (one.bases.size() != 1) break;
      const Meaning base = uses_.files.meaning(*found.file, syntax::dotted_name(one.bases[0]));
      if (base.kind != Meaning::Kind::a_class) break;
      found = base.found;
    }
    return {};
  }

  const UsesOf& uses_;
  const syntax::File& file_;
  syntax::Names own_;    // local names, which hide imports
  syntax::Names added_;  // names that the file adds to modules: `nn.MaskedLinear = MaskedLinear`
  schema::Problems& problems_;
};

}  // namespace

void check_uses(const UsesOf& uses, schema::Problems& problems) {
  UseCheck(uses, problems).check();
}

}  // namespace knead::front
