#include <fmt/format.h>

#include "runner/engine/model/einops/shape_pattern.h"
#include "runner/engine/model/lower/lowering.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/evaluator/settings.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {
namespace {

/// Returns whether a value is a function of models/layers/einops.py.
bool is_of_einops(const std::optional<Value>& value, const char* name) {
  const auto* function = value ? as<Function>(*value) : nullptr;
  return function && (*function)->name == name && (*function)->file->module == "einops.functions";
}

/// Returns whether all keys of a dict are texts.
bool has_names_as_keys(const Dict& dict) {
  return std::all_of(dict.items.begin(), dict.items.end(),
                     [](const auto& item) { return is_text(item.first); });
}

/// Returns the items of a list or a tuple as it is written; null for anything else.
const syntax::Expressions* written_items(const syntax::Expression& expression) {
  if (const auto* list = std::get_if<syntax::List>(&expression.kind)) return &list->items;
  const auto* tuple = std::get_if<syntax::Tuple>(&expression.kind);
  return tuple ? &tuple->items : nullptr;
}

}  // namespace

// torch.stft() and the method of tensors center frames unless they are told not to; the operator
// without the argument does not. A call with all arguments by position is one with it.
bool Lowering::lacks_center(const syntax::Call& node) const {
  const auto* attribute = std::get_if<syntax::Attribute>(&node.callee->kind);
  if (!attribute || attribute->name != "stft" || statics_.value(*node.callee)) return false;
  const std::size_t before = is_torch(*attribute->value) ? 5 : 4;
  return node.arguments.size() <= before &&
         std::none_of(node.keywords.begin(), node.keywords.end(), [](const auto& keyword) {
           return keyword.name.empty() || keyword.name == "center";
         });
}

std::vector<jit::Attribute> Lowering::named_arguments(const syntax::Call& node) {
  std::vector<jit::Attribute> named;
  if (lacks_center(node)) {
    const syntax::Range at = node.callee->range;
    named.push_back(
        jit::Attribute::create(trees_.place(at), trees_.identifier(at, "center"), known(at, true)));
  }
  for (const auto& keyword : node.keywords) {
    if (keyword.name.empty()) {
      expand_keywords(*keyword.value, named);
      continue;
    }
    named.push_back(jit::Attribute::create(trees_.place(keyword.name_range),
                                           trees_.identifier(keyword.name_range, keyword.name),
                                           argument(node, *keyword.value)));
  }
  return named;
}

void Lowering::expand_keywords(const syntax::Expression& value,
                               std::vector<jit::Attribute>& named) {
  const syntax::Range at = value.range;
  const auto* call = std::get_if<syntax::Call>(&value.kind);
  if (call && expand_shape(at, *call, named)) return;
  const auto known_value = statics_.value(value);
  if (known_value && is_settings(*known_value)) {
    for (const auto& [name, item] : entries_of(*known_value)) {
      named.push_back(
          jit::Attribute::create(trees_.place(at), trees_.identifier(at, name), known(at, item)));
    }
    return;
  }
  const auto* dict = known_value ? as<Dict>(*known_value) : nullptr;
  if (!dict || !has_names_as_keys(**dict)) {
    refuse(at, "a method cannot pass a dict of arguments with '**'", "write the arguments out");
  }
  // A layer does not change its dicts, so their values are constants. A method of the user may
  // change a value: it is read while the model runs.
  const bool is_constant = is_layer(*statics_.function().file) || are_settings(**dict);
  for (const auto& [key, item] : (*dict)->items) {
    const std::string& name = std::get<std::string>(key);
    const jit::Expr argument =
        is_constant ? known(at, item)
                    : jit::Subscript::create(trees_.place(at), expression(value),
                                             trees_.list(at, std::vector{trees_.text(at, name)}));
    named.push_back(
        jit::Attribute::create(trees_.place(at), trees_.identifier(at, name), argument));
  }
}

bool Lowering::expand_shape(syntax::Range at, const syntax::Call& call,
                            std::vector<jit::Attribute>& named) {
  if (!is_of_einops(statics_.value(*call.callee), "parse_shape")) return false;
  const auto pattern = call.arguments.size() == 2 && call.keywords.empty()
                           ? statics_.value(call.arguments[1])
                           : std::nullopt;
  if (!pattern || !is_text(*pattern)) {
    refuse(at, "the axes of this parse_shape() are known only while the model runs",
           "write parse_shape(x, \"b c\")");
  }
  refuse_second_evaluation(call.arguments[0], "the argument of parse_shape()");
  try {
    const auto shape = einops::parse_shape_pattern(std::get<std::string>(*pattern));
    bool is_checked = false;
    for (const einops::ShapeAxis& axis : shape.axes) {
      if (axis.name.empty()) continue;
      // The first argument calls parse_shape(), which checks the shape.
      const jit::Expr length =
          is_checked
              ? trees_.call(at, trees_.attribute(at, expression(call.arguments[0]), "size"),
                            {trees_.integer(at, axis.place)})
              : jit::Subscript::create(trees_.place(at), lower(at, call),
                                       trees_.list(at, std::vector{trees_.text(at, axis.name)}));
      is_checked = true;
      named.push_back(
          jit::Attribute::create(trees_.place(at), trees_.identifier(at, axis.name), length));
    }
  } catch (const Mistake& mistake) {
    refuse(call.arguments[1].range, mistake.what(), mistake.remedy());
  }
  return true;
}

// TorchScript gives `[[], [3]]` and `[(), (3,)]` no one type. The function "numbers" makes a list
// of ints of each shape.
std::optional<jit::Expr> Lowering::packed_shapes(const syntax::Call& node,
                                                 const syntax::Expression& expression) {
  const bool is_second = node.arguments.size() > 1 && &node.arguments[1] == &expression;
  const bool is_named =
      std::any_of(node.keywords.begin(), node.keywords.end(), [&](const syntax::Keyword& keyword) {
        return keyword.name == "packed_shapes" && keyword.value.get() == &expression;
      });
  if (!is_second && !is_named) return std::nullopt;
  const syntax::Expressions* shapes = written_items(expression);
  if (!shapes || shapes->empty() || !is_of_einops(statics_.value(*node.callee), "unpack")) {
    return std::nullopt;
  }
  std::vector<jit::Expr> lists;
  for (const syntax::Expression& shape : *shapes) {
    const syntax::Expressions* sizes = written_items(shape);
    std::vector<jit::Expr> items;
    if (sizes) {
      for (const syntax::Expression& size : *sizes) {
        const auto* starred = std::get_if<syntax::Starred>(&size.kind);
        items.push_back(this->expression(starred ? *starred->value : size));
      }
    } else {
      items.push_back(this->expression(shape));
    }
    lists.push_back(
        trees_.call(shape.range, known(shape.range, make_builtin("numbers", nullptr)), items));
  }
  return jit::ListLiteral::create(trees_.place(expression.range),
                                  trees_.list(expression.range, lists));
}

}  // namespace knead::engine::model
