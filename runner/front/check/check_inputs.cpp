#include "runner/front/check/check_inputs.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "runner/front/check/signature.h"
#include "schema/document/suggest.h"
#include "schema/rules/rule_view.h"
#include "schema/rules/set_fields.h"

namespace knead::front {
namespace {

using schema::Entry;
using schema::Node;
using NameList = std::vector<std::string_view>;

class InputCheck {
 public:
  InputCheck(const schema::RuleView& recipe, const Signature& forward)
      : recipe_(recipe), forward_(forward) {
    for (const Argument& parameter : forward.arguments) parameters_.push_back(parameter.name);
  }

  void check() const {
    const auto fields = schema::field_names(recipe_, "data.train");
    if (recipe_.is_absent("model.inputs")) {
      if (fields) check_default(*fields);
    } else if (const Node* inputs = recipe_.find("model.inputs")) {
      check_written(*inputs, fields);
    }
  }

 private:
  /// Checks a recipe without model.inputs, where fields reach parameters of the same name, or the
  /// only field besides the target reaches the first parameter.
  void check_default(const NameList& fields) const {
    const bool is_target_certain = recipe_.find("loss.target") || recipe_.is_absent("loss.target");
    if (!is_target_certain || recipe_.text("loss.type").empty()) return;
    const std::string target = recipe_.text("loss.target");
    const bool is_known = target.empty() || contains(fields, target);
    // The rules of the recipe report these mistakes.
    if (!is_known || (fields.size() == 1 && fields[0] == target)) return;
    std::set<std::string_view> given;
    for (const std::string_view name : parameters_) {
      if (contains(fields, name)) given.insert(name);
    }
    const auto others = std::count_if(fields.begin(), fields.end(),
                                      [&](std::string_view field) { return field != target; });
    if (given.empty() && others == 1 && !parameters_.empty()) given.insert(parameters_[0]);
    report_missing(given, recipe_.key_place("model"), fields);
  }

  /// Checks the entries of model.inputs.
  void check_written(const Node& inputs, const std::optional<NameList>& fields) const {
    std::set<std::string_view> given;
    bool are_known = true;
    for (const Entry& entry : inputs.entries) {
      are_known = are_known && contains(parameters_, entry.key);
      if (contains(parameters_, entry.key)) {
        given.insert(entry.key);
      } else if (!parameters_.empty()) {
        report_unknown(entry);
      }
    }
    for (std::size_t i = 0; i < inputs.items.size(); ++i) {
      if (i < parameters_.size()) given.insert(parameters_[i]);
    }
    if (inputs.items.size() > parameters_.size() && !parameters_.empty()) {
      recipe_.error("unknown-argument", inputs.items[parameters_.size()].place,
                    fmt::format("model.inputs gives {} fields, forward takes {}",
                                inputs.items.size(), parameters_.size()),
                    names_of_parameters());
    }
    // After an unknown name a missing parameter is probably the one that was meant.
    if (are_known && fields) report_missing(given, recipe_.key_place("model.inputs"), *fields);
  }

  void report_unknown(const Entry& entry) const {
    const std::string_view near = schema::nearest(entry.key, parameters_);
    recipe_.error("unknown-argument", entry.place,
                  fmt::format("model.inputs: forward has no parameter '{}'", entry.key),
                  near.empty() ? names_of_parameters()
                               : fmt::format("did you mean '{}'? {}", near, names_of_parameters()));
  }

  std::string names_of_parameters() const {
    return fmt::format("its parameters are: {}", fmt::join(parameters_, ", "));
  }

  /// Reports the first required parameter that has no field.
  void report_missing(const std::set<std::string_view>& given, const schema::Place& place,
                      const NameList& fields) const {
    if (parameters_.empty()) {
      recipe_.error(
          "no-input", recipe_.key_place("model"),
          "forward takes nothing: no field of the data reaches the model",
          fmt::format("write def forward(self, x); the fields are: {}", fmt::join(fields, ", ")));
      return;
    }
    for (const Argument& parameter : forward_.arguments) {
      if (!parameter.is_required || given.contains(parameter.name)) continue;
      recipe_.error("no-input", place,
                    fmt::format("no field is given to forward's parameter '{}'", parameter.name),
                    fmt::format("{}; the fields are: {}", remedy(), fmt::join(fields, ", ")));
      return;
    }
  }

  std::string remedy() const {
    if (!recipe_.is_absent("model.inputs")) return "name a field for it";
    return recipe_.is_absent("loss.target")
               ? "write model.inputs, or loss.target, so that one field is left"
               : "write model.inputs";
  }

  static bool contains(const NameList& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  const schema::RuleView& recipe_;
  const Signature& forward_;
  NameList parameters_;
};

}  // namespace

void check_inputs(const schema::Checked& recipe, const ModelFiles& files, const FoundClass& built,
                  schema::Problems& problems) {
  const auto forward = signature_of_forward(files, built);
  if (!forward || forward->takes_others) return;
  const schema::RuleView view(recipe, problems);
  InputCheck(view, *forward).check();
}

}  // namespace knead::front
