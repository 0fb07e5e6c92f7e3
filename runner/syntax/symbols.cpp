#include "runner/syntax/symbols.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "runner/syntax/bound_names.h"
#include "runner/syntax/refusal.h"
#include "runner/syntax/walk.h"

namespace knead::syntax {
namespace {

constexpr std::string_view kDebug = "__debug__";

/// Walks over a file with the comprehensions and the class around each place.
class Symbols {
 public:
  explicit Symbols(const File& file) : file_(file) {}

  void check() {
    for (const Statement& one : file_.body) (*this)(one);
  }

  void operator()(const Statement& one) {
    std::visit([&](const auto& kind) { look_at(one.range, kind); }, one.kind);
    const bool is_class = std::holds_alternative<Class>(one.kind);
    const bool is_scope = is_class || std::holds_alternative<Function>(one.kind);
    const bool before = is_scope ? std::exchange(in_class_, is_class) : in_class_;
    for_each_child(one, *this);
    in_class_ = before;
  }

  void operator()(const Expression& one) {
    if (const auto* made = std::get_if<Comprehension>(&one.kind)) return look_at(*made);
    if (const auto* lambda = std::get_if<Lambda>(&one.kind)) return look_at(*lambda);
    if (const auto* walrus = std::get_if<Walrus>(&one.kind)) look_at(one.range, *walrus);
    if (const auto* call = std::get_if<Call>(&one.kind)) {
      for (const Keyword& keyword : call->keywords) refuse_debug(keyword.name, keyword.name_range);
    }
    for_each_child(one, *this);
  }

 private:
  struct Loop {
    Names targets;   // of the comprehension
    Names assigned;  // by ':=' in the comprehension
  };

  [[noreturn]] void refuse(Range range, const std::string& message) const {
    throw Refusal("model-syntax", file_.place(range), message);
  }

  // --- comprehensions

  void look_at(const Comprehension& made) {
    // Python evaluates the first iterable in the scope around the comprehension.
    in_iterable(*made.generators[0].iterable);
    loops_.push_back({});
    for (std::size_t i = 0; i < made.generators.size(); ++i) {
      const Generator& generator = made.generators[i];
      if (i > 0) in_iterable(*generator.iterable);
      add_targets(*generator.target);
      for (const Expression& condition : generator.conditions) (*this)(condition);
    }
    // As in CPython's symtable.c, the value of a dict comes before its key: the order decides which
    // error is first.
    if (made.value) (*this)(*made.value);
    (*this)(*made.element);
    loops_.pop_back();
  }

  void in_iterable(const Expression& iterable) {
    ++iterables_;
    (*this)(iterable);
    --iterables_;
  }

  void add_targets(const Expression& target) {
    refuse_debug_in(target);
    for (const std::string& name : target_names(target)) {
      if (loops_.back().assigned.contains(name)) {
        refuse(target.range,
               fmt::format("comprehension inner loop cannot rebind assignment expression target "
                           "'{}'",
                           name));
      }
      loops_.back().targets.insert(name);
    }
  }

  void look_at(const Lambda& lambda) {
    for (const Parameter& parameter : lambda.parameters) {
      refuse_debug(parameter.name, parameter.range);
      if (parameter.fallback) (*this)(*parameter.fallback);
    }
    // A lambda is a scope of its own, in which `:=` may bind any name.
    const auto loops = std::exchange(loops_, {});
    const bool before = std::exchange(in_class_, false);
    (*this)(*lambda.body);
    in_class_ = before;
    loops_ = loops;
  }

  void look_at(Range range, const Walrus& walrus) {
    const Range name = {range.begin, range.begin + static_cast<std::uint32_t>(walrus.name.size())};
    refuse_debug(walrus.name, name);
    if (iterables_ > 0) {
      refuse(name, "assignment expression cannot be used in a comprehension iterable expression");
    }
    for (Loop& loop : loops_) {
      if (loop.targets.contains(walrus.name)) {
        refuse(name,
               fmt::format("assignment expression cannot rebind comprehension iteration variable "
                           "'{}'",
                           walrus.name));
      }
      loop.assigned.insert(walrus.name);
    }
    if (!loops_.empty() && in_class_) {
      refuse(name, "assignment expression within a comprehension cannot be used in a class body");
    }
  }

  // --- __debug__

  void refuse_debug(std::string_view name, Range range) const {
    if (name == kDebug) refuse(range, "cannot assign to __debug__");
  }

  void refuse_debug_in(const Expression& target) const {
    if (const auto* of = std::get_if<Attribute>(&target.kind)) {
      refuse_debug(of->name, of->name_range);
    }
    if (target_names(target).contains(kDebug)) refuse(target.range, "cannot assign to __debug__");
  }

  void look_at(Range, const Assign& one) {
    for (const Expression& target : one.targets) refuse_debug_in(target);
  }
  void look_at(Range, const AnnotatedAssign& one) { refuse_debug_in(one.target); }
  void look_at(Range, const AugmentedAssign& one) {
    if (std::holds_alternative<Name>(one.target.kind)) refuse_debug_in(one.target);
  }
  void look_at(Range, const For& one) { refuse_debug_in(one.target); }
  void look_at(Range, const With& one) {
    for (const With::Item& item : one.items) {
      if (item.target) refuse_debug_in(*item.target);
    }
  }
  void look_at(Range, const Try& one) {
    for (const Except& each : one.handlers) refuse_debug(each.name, each.name_range);
  }
  void look_at(Range, const Function& one) {
    refuse_debug(one.name, one.name_range);
    for (const Parameter& parameter : one.parameters) refuse_debug(parameter.name, parameter.range);
  }
  void look_at(Range, const Class& one) { refuse_debug(one.name, one.name_range); }
  void look_at(Range, const Delete& one) {
    for (const Expression& target : one.targets) {
      if (target_names(target).contains(kDebug)) refuse(target.range, "cannot delete __debug__");
    }
  }

  // --- imports

  void look_at(Range range, const Import& one) {
    for (const ImportedName& each : one.names) {
      refuse_debug(each.alias.empty() ? each.name : each.alias, each.range);
    }
    if (!one.is_from || one.level > 0 || one.module != "__future__") return;
    if (!is_early(range)) {
      refuse(range, "from __future__ imports must occur at the beginning of the file");
    }
    for (const ImportedName& each : one.names) check_feature(each);
  }

  /// Returns whether only the docstring and other imports from __future__ come before.
  bool is_early(Range range) const {
    for (std::size_t i = 0; i < file_.body.size(); ++i) {
      const Statement& one = file_.body[i];
      if (one.range.begin == range.begin) return true;
      const auto* alone = std::get_if<ExpressionStatement>(&one.kind);
      const bool is_text = i == 0 && alone && std::holds_alternative<String>(alone->value.kind);
      const auto* import = std::get_if<Import>(&one.kind);
      const bool is_future = import && import->is_from && import->module == "__future__";
      if (!is_text && !is_future) return false;
    }
    return false;
  }

  void check_feature(const ImportedName& feature) const {
    static constexpr std::array<std::string_view, 10> kKnown{
        "absolute_import", "annotations",   "barry_as_FLUFL", "division",         "generator_stop",
        "generators",      "nested_scopes", "print_function", "unicode_literals", "with_statement"};
    if (std::find(kKnown.begin(), kKnown.end(), feature.name) != kKnown.end()) return;
    if (feature.name == "braces") refuse(feature.range, "not a chance");
    refuse(feature.range, fmt::format("future feature {} is not defined", feature.name));
  }

  template <typename Other>
  void look_at(Range, const Other&) {}

  const File& file_;
  std::vector<Loop> loops_;  // enclosing comprehensions, the outermost first
  int iterables_ = 0;        // number of enclosing iterables of comprehensions
  bool in_class_ = false;
};

}  // namespace

void check_symbols(const File& file) { Symbols(file).check(); }

}  // namespace knead::syntax
