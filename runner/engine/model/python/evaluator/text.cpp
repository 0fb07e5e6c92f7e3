#include "runner/engine/model/python/evaluator/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/python/words/format_spec.h"
#include "runner/engine/model/python/words/number_text.h"
#include "runner/engine/model/values/stack.h"
#include "schema/document/source.h"

namespace knead::engine::model {

namespace {

/// Limits nesting in repr(), because a list may contain itself.
constexpr int kDeepest = 100;

/// Returns repr() of each kind of value. A tensor shows its shape and dtype in place of its
/// numbers.
struct Representation {
  Evaluator& evaluator;
  int depth = 0;

  std::string of(const Value& value) const {
    if (depth >= kDeepest) throw Mistake("maximum recursion depth exceeded");
    return std::visit(Representation{evaluator, depth + 1}, value);
  }

  std::string items(const Values& values) const {
    std::string text;
    for (const Value& value : values) text += (text.empty() ? "" : ", ") + of(value);
    evaluator.spend(static_cast<std::int64_t>(text.size()));
    return text;
  }

  std::string operator()(None) const { return "None"; }
  std::string operator()(bool flag) const { return flag ? "True" : "False"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return float_text(number); }
  std::string operator()(const std::string& text) const { return quoted_text(text); }
  std::string operator()(Dtype dtype) const { return "torch." + dtype_name(dtype.type); }
  std::string operator()(Device device) const {
    return fmt::format("device(type='{}')", device.device.str());
  }
  std::string operator()(Ellipsis) const { return "Ellipsis"; }
  std::string operator()(const ArrayScalar& scalar) const { return of_numpy(scalar); }
  std::string operator()(const std::shared_ptr<Array>& array) const { return of_numpy(array); }
  std::string of_numpy(const Value& value) const {
    return to_text(*evaluator.call_method(value, "__repr__"), "__repr__()");
  }

  std::string operator()(const at::Tensor& tensor) const {
    if (tensor.dim() == 0) return "tensor(" + of(number_of(tensor)) + ")";
    return fmt::format("tensor(shape={}, dtype={})", of(*find_in_tensor(tensor, "shape")),
                       (*this)(Dtype{tensor.scalar_type()}));
  }

  std::string operator()(const std::shared_ptr<List>& list) const {
    return "[" + items(list->items) + "]";
  }
  std::string operator()(const std::shared_ptr<Tuple>& tuple) const {
    return "(" + items(tuple->items) + (tuple->items.size() == 1 ? ",)" : ")");
  }
  std::string operator()(const std::shared_ptr<Set>& set) const {
    return set->items.empty() ? "set()" : "{" + items(set->items) + "}";
  }
  std::string operator()(const std::shared_ptr<Dict>& dict) const {
    std::string text;
    for (const auto& [key, value] : dict->items) {
      text += (text.empty() ? "" : ", ") + of(key) + ": " + of(value);
    }
    evaluator.spend(static_cast<std::int64_t>(text.size()));
    return "{" + text + "}";
  }
  std::string operator()(const std::shared_ptr<Range>& range) const {
    const std::string step = range->step == 1 ? "" : fmt::format(", {}", range->step);
    return fmt::format("range({}, {}{})", range->begin, range->end, step);
  }
  std::string operator()(const std::shared_ptr<Slice>& slice) const {
    return fmt::format("slice({}, {}, {})", of(slice->begin), of(slice->end), of(slice->step));
  }
  std::string operator()(const std::shared_ptr<Iterator>& iterator) const {
    return fmt::format("<{} object>", iterator->type);
  }
  std::string operator()(const std::shared_ptr<Function>& function) const {
    return fmt::format("<function {}>", function->name);
  }
  std::string operator()(const std::shared_ptr<Builtin>& builtin) const {
    return fmt::format("<built-in function {}>", builtin->name);
  }
  std::string operator()(const std::shared_ptr<BoundMethod>& method) const {
    const Function* function = function_of(method->function);
    return fmt::format("<bound method {}>", function ? function->name : "of ours");
  }
  std::string operator()(const std::shared_ptr<Namespace>& names) const {
    return fmt::format("<module '{}'>", names->name);
  }
  std::string operator()(const std::shared_ptr<Class>& type) const {
    return fmt::format("<class '{}'>", type->name);
  }
  std::string operator()(const std::shared_ptr<Super>&) const { return "<super object>"; }

  std::string operator()(const std::shared_ptr<Object>& object) const {
    if (auto text = evaluator.call_method(object, "__repr__")) return to_text(*text, "__repr__()");
    if (object->type->is_module) return module_text(evaluator, *object);
    if (!object->type->is_dataclass) return fmt::format("<{} object>", object->type->name);
    std::string text;
    for (const Field& field : object->type->fields) {
      const Value value = evaluator.attribute(object, field.name);
      text += (text.empty() ? "" : ", ") + field.name + "=" + of(value);
    }
    return object->type->name + "(" + text + ")";
  }
};

/// Indents all lines of a text but the first.
std::string indented(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\n' ? "\n  " : std::string(1, c);
  return result;
}

}  // namespace

std::string Evaluator::repr(const Value& value) { return std::visit(Representation{*this}, value); }

std::string Evaluator::text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* device = std::get_if<Device>(&value)) return device->device.str();
  if (auto text = call_method(value, "__str__")) return to_text(*text, "__str__()");
  return repr(value);
}

std::string module_text(Evaluator& evaluator, const Object& module) {
  expect_stack();
  std::string lines;
  for (const auto& [name, child] : module.modules) {
    const std::string text = child == nullptr ? "None" : module_text(evaluator, *child);
    lines += fmt::format("  ({}): {}\n", name, indented(text));
    evaluator.spend(static_cast<std::int64_t>(text.size()) + 1);
  }
  return module.type->name + "(" + (lines.empty() ? "" : "\n" + lines) + ")";
}

std::string formatted(Evaluator& evaluator, const Value& value, std::string_view text) {
  if (text.empty()) return evaluator.text(value);
  if (std::holds_alternative<ArrayScalar>(value)) return formatted(evaluator, plain(value), text);
  const FormatSpec spec = parse_format(text, type_name(value));
  evaluator.spend(static_cast<std::int64_t>(spec.width) + spec.precision.value_or(0));
  if (const auto* number = std::get_if<double>(&value)) return formatted_float(spec, *number);
  // f"{True:5}" shows the text True; with a type, as in {True:d}, a bool is an int.
  if (std::holds_alternative<bool>(value) && spec.type == 0) {
    return padded(spec, evaluator.text(value), '<');
  }
  if (is_integer(value)) return formatted_integer(spec, integer_of(value));
  if (const auto* tensor = std::get_if<at::Tensor>(&value); tensor && tensor->dim() == 0) {
    return formatted(evaluator, number_of(*tensor), text);
  }
  const auto* written = std::get_if<std::string>(&value);
  if (written == nullptr) {
    throw Mistake(
        fmt::format("unsupported format string passed to {}.__format__", type_name(value)));
  }
  if (spec.type != 0 && spec.type != 's') unknown_format(spec, "str");
  if (!spec.precision) return padded(spec, *written, '<');
  std::string shortened;
  const Values characters = evaluator.items(value);
  for (std::size_t i = 0; i < characters.size() && static_cast<int>(i) < *spec.precision; ++i) {
    shortened += std::get<std::string>(characters[i]);
  }
  return padded(spec, shortened, '<');
}

// --- f-strings

std::string Evaluator::format(
    const std::vector<std::variant<std::string, syntax::Replacement>>& parts) {
  std::string text;
  for (const auto& part : parts) {
    const auto* written = std::get_if<std::string>(&part);
    text += written ? *written : format(std::get<syntax::Replacement>(part));
  }
  spend(static_cast<std::int64_t>(text.size()));
  return text;
}

std::string Evaluator::format(const syntax::Replacement& replacement) {
  const Value value = evaluate(*replacement.value);
  const std::string spec = format(replacement.spec);
  return at_place(replacement.value->range, [&] {
    char conversion = replacement.conversion;
    // `{x=}` shows repr() unless a format is given, as in Python.
    if (conversion == 0 && !replacement.debug.empty() && spec.empty()) conversion = 'r';
    if (conversion == 0) return replacement.debug + formatted(*this, value, spec);
    const std::string converted = conversion == 's' ? text(value) : repr(value);
    return replacement.debug + formatted(*this, converted, spec);
  });
}

}  // namespace knead::engine::model
