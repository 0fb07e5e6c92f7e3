#include "runner/syntax/binding/bind_call.h"

#include <algorithm>
#include <optional>

namespace knead::syntax {
namespace {

using ParameterKind = Parameter::Kind;

bool is_positional(const ParameterShape& one) {
  return one.kind == ParameterKind::positional_only || one.kind == ParameterKind::ordinary;
}

bool may_be_named(const ParameterShape& one) {
  return one.kind == ParameterKind::ordinary || one.kind == ParameterKind::keyword_only;
}

/// Assigns the arguments of a call step by step. The order of the steps, and so the fault that is
/// found first, is that of CPython's evaluation loop.
class CallBinding {
 public:
  CallBinding(std::span<const ParameterShape> parameters, const ArgumentShape& arguments)
      : parameters_(parameters), arguments_(arguments), slots_(parameters.size()) {}

  Binding run() {
    if (auto fault = repeated_keyword()) return *fault;
    take_positional();
    for (std::size_t i = 0; i < arguments_.keywords.size(); ++i) {
      if (auto fault = take_keyword(i)) return *fault;
    }
    if (auto fault = too_many_positional()) return *fault;
    if (auto fault = missing(/*keyword_only=*/false)) return *fault;
    if (auto fault = missing(/*keyword_only=*/true)) return *fault;
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < parameters_.size(); ++i) slots.push_back(slot(i));
    return slots;
  }

 private:
  std::optional<Fault> repeated_keyword() const {
    const auto& names = arguments_.keywords;
    for (auto name = names.begin(); name != names.end(); ++name) {
      if (std::find(names.begin(), name, *name) != name) return GivenTwice{*name, true};
    }
    return std::nullopt;
  }

  void take_positional() {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (!is_positional(parameters_[i]) || taken_ == arguments_.positional) continue;
      slots_[i] = ByPosition{taken_++};
    }
  }

  std::optional<Fault> take_keyword(std::size_t index) {
    const std::string_view name = arguments_.keywords[index];
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (!may_be_named(parameters_[i]) || parameters_[i].name != name) continue;
      if (slots_[i]) return GivenTwice{name};
      slots_[i] = ByName{index};
      return std::nullopt;
    }
    if (has(ParameterKind::keywords)) {
      others_.push_back(index);
      return std::nullopt;
    }
    return unknown_keyword(name);
  }

  // Python names all positional-only parameters that are given by name, whichever name is unknown.
  Fault unknown_keyword(std::string_view name) const {
    PositionalOnlyByName by_name;
    UnexpectedKeyword unexpected{name, {}};
    for (const ParameterShape& one : parameters_) {
      const bool is_given =
          std::count(arguments_.keywords.begin(), arguments_.keywords.end(), one.name) > 0;
      if (one.kind == ParameterKind::positional_only && is_given) {
        by_name.names.push_back(one.name);
      }
      if (may_be_named(one)) unexpected.candidates.push_back(one.name);
    }
    if (!by_name.names.empty()) return by_name;
    return unexpected;
  }

  std::optional<Fault> too_many_positional() const {
    if (taken_ == arguments_.positional || has(ParameterKind::rest)) return std::nullopt;
    TooManyPositional fault{.given = arguments_.positional};
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const ParameterShape& one = parameters_[i];
      if (is_positional(one)) ++fault.most;
      if (is_positional(one) && !one.has_default) ++fault.least;
      if (one.kind == ParameterKind::keyword_only && slots_[i]) ++fault.keyword_only;
    }
    return fault;
  }

  std::optional<Fault> missing(bool keyword_only) const {
    Missing fault{.names = {}, .keyword_only = keyword_only};
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const ParameterShape& one = parameters_[i];
      const bool is_kind =
          keyword_only ? one.kind == ParameterKind::keyword_only : is_positional(one);
      if (is_kind && !slots_[i] && !one.has_default && !may_be_hidden(i)) {
        fault.names.push_back(one.name);
      }
    }
    if (fault.names.empty()) return std::nullopt;
    return fault;
  }

  /// Returns whether an argument behind `*` or `**` may fill a parameter.
  bool may_be_hidden(std::size_t i) const {
    const ParameterShape& one = parameters_[i];
    const bool by_position = is_positional(one) || one.kind == ParameterKind::rest;
    const bool by_name = may_be_named(one) || one.kind == ParameterKind::keywords;
    return (arguments_.has_star && by_position && !follows_named(i)) ||
           (arguments_.has_double_star && by_name);
  }

  // Positional arguments fill parameters without a gap: they never pass one that is given by name.
  bool follows_named(std::size_t i) const {
    for (std::size_t before = 0; before < i; ++before) {
      const auto& slot = slots_[before];
      if (is_positional(parameters_[before]) && slot && std::holds_alternative<ByName>(*slot)) {
        return true;
      }
    }
    return false;
  }

  // Behind a `*` the number of a positional argument is unknown, and with it its parameter.
  Slot slot(std::size_t i) const {
    const ParameterShape& one = parameters_[i];
    const bool is_named = slots_[i] && std::holds_alternative<ByName>(*slots_[i]);
    const bool is_certain = is_named || (slots_[i] && !arguments_.has_star);
    if (!is_certain && may_be_hidden(i)) return Hidden{};
    if (one.kind == ParameterKind::rest) return RestOfPositional{taken_};
    if (one.kind == ParameterKind::keywords) return RestOfKeywords{others_};
    return slots_[i] ? *slots_[i] : Slot(ByDefault{});
  }

  bool has(ParameterKind kind) const {
    return std::any_of(parameters_.begin(), parameters_.end(),
                       [&](const ParameterShape& one) { return one.kind == kind; });
  }

  std::span<const ParameterShape> parameters_;
  const ArgumentShape& arguments_;
  std::vector<std::optional<Slot>> slots_;  // std::nullopt: no argument
  std::size_t taken_ = 0;                   // positional arguments that have a parameter
  std::vector<std::size_t> others_;         // named arguments for **kwargs
};

}  // namespace

Binding bind_call(std::span<const ParameterShape> parameters, const ArgumentShape& arguments) {
  return CallBinding(parameters, arguments).run();
}

}  // namespace knead::syntax
