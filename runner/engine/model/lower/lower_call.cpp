#include <fmt/format.h>

#include <algorithm>

#include "runner/engine/model/lower/lowering.h"
#include "runner/engine/model/python/words/number_text.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {
namespace {

/// Methods and functions that accept sizes either as one list or one by one.
constexpr const char* kTakeNumbers[] = {
    "view", "reshape", "expand", "repeat", "permute",   "zeros",    "ones",      "empty",
    "rand", "randn",   "tile",   "flip",   "new_zeros", "new_ones", "new_empty", "squeeze"};

/// Returns whether the numbers of a tensor method are floats. Such a method is emitted as a
/// function, because only functions convert ints to floats.
bool takes_floats(const std::string& method) {
  static constexpr const char* kMethods[] = {"uniform_", "normal_", "bernoulli_", "exponential_"};
  return std::find(std::begin(kMethods), std::end(kMethods), method) != std::end(kMethods);
}

/// Returns the dtype of a cast that the emitter does not support, such as x.bool(); std::nullopt
/// for other methods, including x.float(), which it supports.
std::optional<c10::ScalarType> dtype_of_cast(const std::string& method) {
  if (method == "bool") return c10::kBool;
  if (method == "bfloat16") return c10::kBFloat16;
  return std::nullopt;
}

const syntax::Name* name_of(const syntax::Expression& expression) {
  return std::get_if<syntax::Name>(&expression.kind);
}

/// Returns whether a format text contains only "{}", because TorchScript does not interpret
/// anything else between braces.
bool is_plain_format(const std::string& text) {
  for (std::size_t at = 0; (at = text.find_first_of("{}", at)) != text.npos; at += 2) {
    if (text.compare(at, 2, "{}") != 0) return false;
  }
  return true;
}

}  // namespace

bool Lowering::is_known_object(const syntax::Expression& expression) const {
  const auto value = statics_.value(expression);
  return value && !is_tensor(*value);
}

bool Lowering::is_torch(const syntax::Expression& expression) const {
  const auto value = statics_.value(expression);
  const auto* names = value ? as<Namespace>(*value) : nullptr;
  return names && (*names)->name == "torch";
}

bool Lowering::takes_numbers(const syntax::Call& node) const {
  const auto* attribute = std::get_if<syntax::Attribute>(&node.callee->kind);
  return attribute && std::find(std::begin(kTakeNumbers), std::end(kTakeNumbers),
                                attribute->name) != std::end(kTakeNumbers);
}

std::vector<jit::Expr> Lowering::arguments(const syntax::Call& node) {
  std::vector<jit::Expr> result;
  bool has_starred = false;
  for (const auto& argument : node.arguments) {
    const auto* starred = std::get_if<syntax::Starred>(&argument.kind);
    has_starred = has_starred || starred;
    if (starred && !takes_numbers(node)) {
      const auto known_items = statics_.value(*starred->value);
      const auto items = known_items ? statics_.items(*known_items) : std::nullopt;
      if (!items) {
        result.push_back(expression(argument));
        continue;
      }
      for (const Value& item : *items) result.push_back(known(argument.range, item));
    } else {
      result.push_back(this->argument(node, starred ? *starred->value : argument));
    }
  }
  // A star in the sizes of view() leaves their number unknown, so an own function joins all of them
  // to one list at run time.
  if (!has_starred || !takes_numbers(node)) return result;
  const syntax::Range at = {node.arguments.front().range.begin, node.arguments.back().range.end};
  return {trees_.call(at, known(at, make_builtin("numbers", nullptr)), result)};
}

// `torch.tanh` without a call becomes a built-in function that can be passed.
std::optional<Value> Lowering::operator_named(const syntax::Expression& expression) const {
  const auto* attribute = std::get_if<syntax::Attribute>(&expression.kind);
  if (!attribute || !is_torch(*attribute->value)) return std::nullopt;
  return make_builtin("torch." + attribute->name, nullptr);
}

// The emitter has no values for functions and configurations. The text of pass() stands for them if
// the callee is a function of the model, which can resolve the text.
jit::Expr Lowering::argument(const syntax::Call& node, const syntax::Expression& expression) {
  if (const auto shapes = packed_shapes(node, expression)) return *shapes;
  const bool is_lambda = std::holds_alternative<syntax::Lambda>(expression.kind);
  auto value = is_lambda ? local_function(expression) : statics_.value(expression);
  if (!value) value = operator_named(expression);
  if (!value || !references_.can_refer(*value)) return this->expression(expression);
  const auto* object = as<Object>(*value);
  const bool is_record = object && !(*object)->type->is_module;
  if (!as<Function>(*value) && !as<Builtin>(*value) && !is_record)
    return this->expression(expression);
  // An operator or an exception would take the text of pass() for a text, so its argument is
  // lowered as it is written.
  const auto callee = statics_.value(*node.callee);
  const auto* builtin = callee ? as<Builtin>(*callee) : nullptr;
  const bool is_refused_there = builtin && (*builtin)->name == "einops.reduce";
  if (callee && (builtin || as<Class>(*callee)) && !is_refused_there) {
    return this->expression(expression);
  }
  if (const auto* function = as<Function>(*value); function && !(*function)->captures.empty()) {
    refuse(expression.range,
           fmt::format("a function that reads '{}' of this method cannot be passed on",
                       (*function)->captures.front()),
           "make it a parameter of the function");
  }
  return trees_.text(expression.range, references_.pass(*value));
}

// LibTorch's compiler calls such a method of constants itself, before check_operator() sees it.
void Lowering::refuse_padding(syntax::Range at, const syntax::Call& node) const {
  static constexpr const char* kNames[] = {"ljust", "rjust", "center", "zfill", "expandtabs"};
  const auto* method = std::get_if<syntax::Attribute>(&node.callee->kind);
  if (!method || !is_one_of(method->name, kNames)) return;
  const auto of = statics_.value(*method->value);
  if (of && !is_text(*of)) return;  // a method of a module
  refuse(at,
         fmt::format("'{}' cannot be called in a method: texts may become too long", method->name),
         "make the text in __init__");
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Call& node) {
  refuse_padding(at, node);
  if (auto special = special_call(at, node)) return *special;
  auto named = named_arguments(node);
  if (const auto callee = statics_.value(*node.callee)) {
    for (const auto& captured : captured_arguments(at, *callee)) named.push_back(captured);
  }
  return trees_.call(at, expression(*node.callee), arguments(node), named);
}

jit::Expr Lowering::float_call(syntax::Range at, const std::string& text) {
  try {
    return known(at, Value(float_of_text(text)));
  } catch (const Mistake& mistake) {
    refuse(at, mistake.what(), mistake.remedy());
  }
}

// The operator of TorchScript has no as_tuple. A list of places for each dimension is what another
// operator gives.
std::optional<jit::Expr> Lowering::nonzero_call(syntax::Range at, const syntax::Call& node,
                                                const syntax::Attribute& method) {
  if (method.name != "nonzero" || node.keywords.size() != 1 || node.arguments.size() > 1 ||
      node.keywords[0].name != "as_tuple")
    return std::nullopt;
  const auto as_tuple = statics_.value(*node.keywords[0].value);
  const bool* flag = as_tuple ? std::get_if<bool>(&*as_tuple) : nullptr;
  // A module of the user may have a method of this name.
  const bool is_function = is_torch(*method.value) && node.arguments.size() == 1;
  const bool is_method = !is_known_object(*method.value) && node.arguments.empty();
  if (!flag || !(is_function || is_method)) return std::nullopt;
  const jit::Expr tensor = expression(is_method ? *method.value : node.arguments.front());
  const char* name = *flag ? "torch.nonzero_numpy" : "torch.nonzero";
  return trees_.call(at, known(node.callee->range, make_builtin(name, nullptr)), {tensor});
}

// `torch.tensor([])` holds floats, and TorchScript takes a list without items for one of Tensors.
std::optional<jit::Expr> Lowering::empty_tensor(syntax::Range at, const syntax::Call& node,
                                                const syntax::Attribute& function) {
  if (function.name != "tensor" || node.arguments.size() != 1) return std::nullopt;
  const auto* list = std::get_if<syntax::List>(&node.arguments[0].kind);
  if (!list || !list->items.empty() || !is_torch(*function.value)) return std::nullopt;
  const jit::Expr none = known(node.callee->range, make_builtin("torch.zeros", nullptr));
  return trees_.call(at, none, {trees_.integer(node.arguments[0].range, 0)}, named_arguments(node));
}

std::optional<jit::Expr> Lowering::special_call(syntax::Range at, const syntax::Call& node) {
  if (const auto* attribute = std::get_if<syntax::Attribute>(&node.callee->kind)) {
    const auto* super = std::get_if<syntax::Call>(&attribute->value->kind);
    const auto* name = super ? name_of(*super->callee) : nullptr;
    if (name && name->id == "super") {
      return trees_.call(at, super_call(node.callee->range, *attribute, *super), arguments(node),
                         named_arguments(node));
    }
    if (attribute->name == "annotate" && node.arguments.size() == 2) {  // torch.jit.annotate
      const auto type = references_.refer_type(node.arguments[0], statics_, true);
      return trees_.call(
          at, known(node.callee->range, make_builtin("annotate", nullptr)),
          {trees_.name(node.arguments[0].range, *type), expression(node.arguments[1])});
    }
    if (const auto dtype = dtype_of_cast(attribute->name);
        dtype && node.arguments.empty() && !is_known_object(*attribute->value)) {
      return trees_.call(at, trees_.attribute(at, expression(*attribute->value), "to"),
                         {known(at, Value(Dtype{*dtype}))});
    }
    if (takes_floats(attribute->name)) {
      auto all = arguments(node);
      all.insert(all.begin(), expression(*attribute->value));
      const auto function =
          known(node.callee->range, make_builtin("torch." + attribute->name, nullptr));
      return trees_.call(at, function, all, named_arguments(node));
    }
    if (auto places = nonzero_call(at, node, *attribute)) return *places;
    if (auto none = empty_tensor(at, node, *attribute)) return *none;
    const auto* text = std::get_if<syntax::String>(&attribute->value->kind);
    if (text && attribute->name == "format" && !is_plain_format(text->value)) {
      refuse(attribute->value->range, "a method cannot format numbers", "write {} alone");
    }
    return std::nullopt;
  }
  const auto* name = name_of(*node.callee);
  // A name that the file defines hides the built-in function.
  if (!name || statics_.is_local(name->id) || statics_.find_outer(name->id)) return std::nullopt;
  if (name->id == "isinstance" && node.arguments.size() == 2) return isinstance_call(at, node);
  if (name->id == "map" && node.arguments.size() == 2) return map_call(at, node);
  if (name->id == "float" && node.arguments.size() == 1) {
    const auto text = statics_.value(node.arguments[0]);
    if (text && is_text(*text)) return float_call(at, std::get<std::string>(*text));
  }
  if ((name->id == "getattr" || name->id == "hasattr") && node.arguments.size() >= 2) {
    const auto field = statics_.value(node.arguments[1]);
    const auto* text = field ? std::get_if<std::string>(&*field) : nullptr;
    if (!text) {
      refuse(node.arguments[1].range, "this name would be known only while the model runs", "");
    }
    if (name->id == "getattr") return trees_.attribute(at, expression(node.arguments[0]), *text);
    return trees_.call(at, trees_.name(node.callee->range, "hasattr"),
                       {expression(node.arguments[0]), trees_.text(at, *text)});
  }
  return std::nullopt;
}

// Emits a name that encodes the position of the next class in the method resolution order;
// ModuleSugar::super() decodes it.
jit::Expr Lowering::super_call(syntax::Range at, const syntax::Attribute& method,
                               const syntax::Call& super) {
  auto after = statics_.function().owner.lock();
  if (!after || !statics_.self()) refuse(at, "super() has a meaning in a method only", "");
  if (super.arguments.size() == 2) {
    const auto type = statics_.value(super.arguments[0]);
    const auto* given = type ? as<Class>(*type) : nullptr;
    if (!given) refuse(super.arguments[0].range, "this is no class", "write super()");
    after = *given;
  }
  const auto& order = statics_.self()->type->order;
  const auto position = std::find(order.begin(), order.end(), after) - order.begin();
  return trees_.attribute(at, known(at, Value(statics_.self())),
                          fmt::format("__super_{}_{}", position + 1, method.name));
}

jit::Expr Lowering::isinstance_call(syntax::Range at, const syntax::Call& node) {
  return trees_.call(at, trees_.name(node.callee->range, "isinstance"),
                     {expression(node.arguments[0]), type_of_isinstance(node.arguments[1])});
}

jit::Expr Lowering::type_of_isinstance(const syntax::Expression& type) {
  if (const auto* tuple = std::get_if<syntax::Tuple>(&type.kind)) {
    std::vector<jit::Expr> types;
    for (const auto& item : tuple->items) types.push_back(type_of_isinstance(item));
    return trees_.tuple(type.range, types);
  }
  if (const auto* name = name_of(type); name && !statics_.find_outer(name->id)) {
    return trees_.name(type.range, name->id);  // int, list: known to the emitter
  }
  return trees_.name(type.range, *references_.refer_type(type, statics_, true));
}

}  // namespace knead::engine::model
