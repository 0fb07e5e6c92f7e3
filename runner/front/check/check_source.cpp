#include "runner/front/check/check_source.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "runner/front/check/check_module.h"
#include "runner/front/check/check_uses.h"
#include "runner/front/check/foreign_packages.h"
#include "runner/front/check/name_hints.h"
#include "runner/front/check/own_attributes.h"
#include "runner/syntax/classes.h"
#include "runner/syntax/names/unknown_names.h"

namespace knead::front {
namespace {

using schema::Severity;
using syntax::Class;
using syntax::Reading;

class SourceCheck {
 public:
  SourceCheck(const ModelFiles& files, const std::optional<FoundClass>& built)
      : files_(files), file_(files.main()), built_(built), readings_(syntax::readings_of(file_)) {
    for (const Class* one : syntax::classes_of(file_)) classes_[one->name] = one;
    for (const Reading& reading : readings_) {
      if (reading.function) by_function_[reading.function] = &reading;
    }
    follow();
  }

  schema::Problems check(const std::string& loss) {
    // Errors first: check_names() reports each name once, and must do so with its worst severity.
    for (const Severity wanted : {Severity::error, Severity::warning}) {
      for (const Reading& reading : readings_) check_names(reading, wanted);
    }
    if (built_ && built_->file == &file_) check_bases(*built_->definition);
    for (const Reading& reading : readings_) {
      if (reading.owner) check_attributes(reading);
      const auto worth = [&](bool is_certain) { return severity(reading, is_certain); };
      check_uses({files_, reading, worth, foreign_}, problems_);
    }
    for (const Class* one : syntax::modules_of(file_)) {
      check_module({files_, {&file_, one}, is_built(*one), loss}, problems_);
    }
    check_twice();
    return std::move(problems_);
  }

 private:
  /// Reports a base of the built class that comes from a package which models do not have.
  void check_bases(const Class& one) {
    for (const syntax::Expression& base : one.bases) {
      const std::string name = foreign_name(files_, syntax::dotted_name(base));
      if (!name.empty() && foreign_.insert(name).second)
        problems_.push_back(foreign_problem(file_, base, name));
    }
  }

  bool is_built(const Class& one) const { return built_ && built_->definition == &one; }

  // --- the functions that building and running the model certainly calls

  /// Finds the functions that are certainly reached from the __init__ and the forward of the built
  /// class, and from the statements of the file.
  void follow() {
    if (readings_.empty()) return;
    if (built_ && built_->file == &file_) {
      reach_method(*built_->definition, "__init__");
      reach_method(*built_->definition, "forward");
    }
    // The first reading is the file itself, whose statements run when it is imported.
    reach(&readings_[0]);
  }

  void reach(const Reading* reading) {
    if (!reading || !reached_.insert(reading).second) return;
    for (const auto& call : reading->calls) {
      const std::string callee = syntax::dotted_name(*call.node->callee);
      if (call.is_certain && !callee.empty()) reach_callee(*reading, callee);
    }
  }

  void reach_callee(const Reading& from, const std::string& callee) {
    const std::size_t dot = callee.find('.');
    if (dot != std::string::npos) {
      const bool is_own = from.owner && !from.function->parameters.empty() &&
                          callee.substr(0, dot) == from.function->parameters[0].name;
      if (is_own) reach_method(*from.owner, callee.substr(dot + 1));
      return;
    }
    if (const auto one = classes_.find(callee); one != classes_.end()) {
      return reach_method(*one->second, "__init__");
    }
    for (const auto& [function, reading] : by_function_) {
      if (function->name == callee && !reading->owner) reach(reading);
    }
  }

  void reach_method(const Class& one, const std::string& name) {
    const auto found = by_function_.find(method_of(one, name));
    if (found != by_function_.end()) reach(found->second);
  }

  Severity severity(const Reading& reading, bool is_certain) const {
    return is_certain && reached_.contains(&reading) ? Severity::error : Severity::warning;
  }

  // --- problems

  void report(Severity severity, syntax::Range range, std::string message, std::string hint) {
    problems_.push_back(
        {"model-failed", file_.place(range), std::move(message), std::move(hint), severity});
  }

  static bool lacks_object(const Reading& reading) {
    return reading.owner && reading.function->parameters.empty();
  }

  /// Reports the undefined names of a function that have the wanted severity. Each name is reported
  /// once in the file, because a forgotten import is one mistake.
  void check_names(const Reading& reading, Severity wanted) {
    for (const syntax::UnknownName& unknown : reading.unknown) {
      if (severity(reading, unknown.is_certain) != wanted) continue;
      if (lacks_object(reading) && unknown.id == "self") continue;  // check_module() reports it
      if (!unknown_.insert(unknown.id).second) continue;
      report(wanted, unknown.range, fmt::format("name '{}' is not defined", unknown.id),
             hint_for(unknown, reading, attributes_for(reading)));
    }
  }

  OwnAttributes attributes_for(const Reading& reading) const {
    return reading.owner ? attributes_of(files_, {&file_, reading.owner}) : OwnAttributes{};
  }

  /// Returns whether a class of the file is derived from this one. Objects of that class may have
  /// further attributes.
  bool is_base(const Class& one) const {
    return std::any_of(classes_.begin(), classes_.end(), [&](const auto& other) {
      const auto& bases = other.second->bases;
      return std::any_of(bases.begin(), bases.end(),
                         [&](const auto& base) { return syntax::dotted_name(base) == one.name; });
    });
  }

  static bool is_of_object(const syntax::Attribute& attribute, const Reading& reading) {
    const auto& parameters = reading.function->parameters;
    return !parameters.empty() && syntax::dotted_name(*attribute.value) == parameters[0].name;
  }

  void check_attributes(const Reading& reading) {
    const Class& owner = *reading.owner;
    if (!syntax::may_be_module(file_, owner) || is_base(owner)) return;
    const OwnAttributes known = attributes_of(files_, {&file_, &owner});
    if (!known.is_complete) return;
    std::set<std::string> seen;
    for (const auto& each : reading.attributes) {
      const std::string& name = each.node->name;
      if (!is_of_object(*each.node, reading) || name.starts_with('_')) continue;
      if (known.names.contains(name) || !seen.insert(name).second) continue;
      report(severity(reading, each.is_certain), each.range,
             fmt::format("'{}' object has no attribute '{}'", owner.name, name),
             hint_for_attribute(name, owner, known));
    }
  }

  /// Warns about classes of the same name in the file.
  void check_twice() {
    std::map<std::string, const Class*> first;
    for (const Class* one : syntax::classes_of(file_)) {
      const auto [there, is_new] = first.emplace(one->name, one);
      if (is_new) continue;
      report(Severity::warning, one->name_range,
             fmt::format("there is a class '{}' at line {} too: only the last one counts",
                         one->name, file_.place(there->second->name_range).line()),
             "rename one of them");
    }
  }

  const ModelFiles& files_;
  const syntax::File& file_;
  const std::optional<FoundClass>& built_;
  const std::vector<Reading> readings_;
  std::map<std::string, const Class*> classes_;
  std::map<const syntax::Function*, const Reading*> by_function_;
  std::set<const Reading*> reached_;
  std::set<std::string> unknown_;  // names that were reported
  std::set<std::string> foreign_;  // names of other packages that are reported
  schema::Problems problems_;
};

}  // namespace

schema::Problems check_source(const ModelFiles& files, const std::optional<FoundClass>& built,
                              const std::string& loss) {
  return SourceCheck(files, built).check(loss);
}

}  // namespace knead::front
