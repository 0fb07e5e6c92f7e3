#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runner/engine/model/lower/lowering.h"
#include "runner/engine/model/values/explanation.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"
#include "runner/engine/model/values/walk.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {
namespace {

/// Names that the emitter resolves itself unless the file defines them.
constexpr const char* kEmitterNames[] = {"range", "zip", "enumerate", "print", "int",  "float",
                                         "bool",  "str", "tuple",     "list",  "dict", "sorted",
                                         "min",   "max", "abs",       "all",   "any",  "divmod",
                                         "ord",   "chr", "isinstance"};
/// Names that sugar_builtin.cpp resolves.
constexpr const char* kOwnNames[] = {"len", "round", "sum", "reversed", "pow"};

/// Explains a container item that does not exist.
Explanation no_such_item(const Object& container, const Value& index) {
  std::vector<std::string_view> names;
  for (const auto& entry : container.modules) names.push_back(entry.first);
  if (const auto* key = std::get_if<std::string>(&index)) {
    return {fmt::format("KeyError: '{}'", *key), schema::did_you_mean(*key, names)};
  }
  return {fmt::format("index out of range: this {} has {}", container.type->name, names.size()),
          ""};
}

}  // namespace

void Lowering::refuse(syntax::Range at, const std::string& message,
                      const std::string& remedy) const {
  throw syntax::Refusal("model-refused", statics_.function().file->file->place(at), message,
                        remedy);
}

// A literal is used if possible, because the emitter recognises `is None` only with a literal None.
jit::Expr Lowering::known(syntax::Range at, const Value& found) {
  const Value value = plain(found);
  if (is_none(value)) return trees_.word(at, jit::TK_NONE);
  if (const auto* truth = std::get_if<bool>(&value)) {
    return trees_.word(at, *truth ? jit::TK_TRUE : jit::TK_FALSE);
  }
  if (const auto* number = std::get_if<std::int64_t>(&value)) return trees_.integer(at, *number);
  if (const auto* text = std::get_if<std::string>(&value)) return trees_.text(at, *text);
  // A float goes by reference too, because TorchScript has no literal for infinities and NaN.
  return trees_.name(at, references_.refer(value));
}

void Lowering::expect_room(syntax::Range at) const {
  if (statics_.has_room_for_code()) return;
  refuse(at, "this model is compiled to too much code",
         "a loop over modules is written out, once for each of them");
}

jit::Expr Lowering::expression(const syntax::Expression& expression) {
  expect_room(expression.range);
  const auto value = statics_.value(expression);
  if (value && references_.can_refer(*value)) return known(expression.range, *value);
  return written(expression);
}

jit::Expr Lowering::written(const syntax::Expression& expression) {
  return std::visit([&](const auto& node) { return lower(expression.range, node); },
                    expression.kind);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Name& node) {
  if (statics_.is_local(node.id)) return trees_.name(at, node.id);
  if (const Value* outer = statics_.find_outer(node.id)) return known(at, *outer);
  if (is_one_of(node.id, kEmitterNames)) return trees_.name(at, node.id);
  if (is_one_of(node.id, kOwnNames) || node.id.ends_with("Error") || node.id == "Exception") {
    return known(at, make_builtin(node.id, nullptr));
  }
  refuse(at, fmt::format("name '{}' is not defined", node.id), "");
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Constant& node) {
  switch (node) {
    case syntax::Constant::none: return trees_.word(at, jit::TK_NONE);
    case syntax::Constant::true_: return trees_.word(at, jit::TK_TRUE);
    case syntax::Constant::false_: return trees_.word(at, jit::TK_FALSE);
    case syntax::Constant::ellipsis: break;
  }
  return jit::Dots::create(trees_.place(at));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Integer& node) {
  if (!node.value) refuse(at, "this number does not fit 64 bits", "");
  return trees_.integer(at, *node.value);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Float& node) {
  return known(at, Value(node.value));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Imaginary& node) {
  return jit::Const::create(trees_.place(at), fmt::format("{}j", node.value));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Bytes&) {
  refuse(at, "a method does not know bytes", "write a string or a list of numbers");
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Yield&) {
  refuse(at, "a method cannot yield", "collect the values in a list and return it");
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Await&) {
  refuse(at, "a method cannot wait", "write it without async and await");
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::String& node) {
  return trees_.text(at, node.value);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::FString& node) {
  std::string text;
  std::vector<jit::Expr> values;
  for (const auto& part : node.parts) {
    if (const auto* plain = std::get_if<std::string>(&part)) {
      // TorchScript's format() replaces every {}, also one of the text itself.
      if (plain->find("{}") != plain->npos) refuse(at, "'{}' cannot stand in this text", "");
      text += *plain;
      continue;
    }
    const auto& replacement = std::get<syntax::Replacement>(part);
    if (!replacement.spec.empty() || (replacement.conversion && replacement.conversion != 's')) {
      refuse(replacement.value->range, "a method cannot format numbers", "write {x} alone");
    }
    text += replacement.debug + "{}";
    values.push_back(expression(*replacement.value));
  }
  return trees_.call(at, trees_.attribute(at, trees_.text(at, text), "format"), values);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::List& node) {
  std::optional<jit::Expr> sum;
  std::vector<jit::Expr> items;
  // `[a, *b, c]` becomes [a] + list(b) + [c].
  const auto take_items = [&] {
    if (items.empty() && sum) return;
    const jit::Expr list = jit::ListLiteral::create(trees_.place(at), trees_.list(at, items));
    sum = sum ? trees_.binary(at, '+', *sum, list) : list;
    items.clear();
  };
  for (const auto& item : node.items) {
    const auto* starred = std::get_if<syntax::Starred>(&item.kind);
    if (!starred) {
      items.push_back(expression(item));
      continue;
    }
    if (!items.empty()) take_items();
    const jit::Expr list =
        trees_.call(item.range, trees_.name(item.range, "list"), {expression(*starred->value)});
    sum = sum ? trees_.binary(at, '+', *sum, list) : list;
  }
  take_items();
  return *sum;
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Tuple& node) {
  std::vector<jit::Expr> items;
  for (const auto& item : node.items) items.push_back(expression(item));
  return trees_.tuple(at, items);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Set&) {
  refuse(at, "a method cannot make a set", "a list, or a dict with True as values, can");
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Dict& node) {
  std::vector<jit::Expr> keys, values;
  for (const auto& item : node.items) {
    if (!item.key) {
      refuse(item.value->range, "a method cannot put a dict into another with '**'",
             "set its keys one by one");
    }
    keys.push_back(expression(*item.key));
    values.push_back(expression(*item.value));
  }
  return jit::DictLiteral::create(trees_.place(at), trees_.list(at, keys), trees_.list(at, values));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Starred& node) {
  return jit::Starred::create(trees_.place(at), expression(*node.value));
}

// Lowers torch.finfo(x.dtype).min and its like to one call, because TorchScript has no finfo
// object.
std::optional<jit::Expr> Lowering::limit(syntax::Range at, const syntax::Attribute& node) {
  const auto* call = std::get_if<syntax::Call>(&node.value->kind);
  const auto* callee = call ? std::get_if<syntax::Attribute>(&call->callee->kind) : nullptr;
  if (!callee || callee->name != "finfo" || call->arguments.size() != 1) return std::nullopt;
  if (node.name != "min" && node.name != "max" && node.name != "eps") return std::nullopt;
  return trees_.call(at, known(at, make_builtin("finfo_" + node.name, nullptr)),
                     {expression(call->arguments[0])});
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Attribute& node) {
  if (auto found = limit(at, node)) return *found;
  return trees_.attribute(at, expression(*node.value), node.name);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Subscript& node) {
  const auto of = statics_.value(*node.value);
  const auto* object = of ? as<Object>(*of) : nullptr;
  if (object && (*object)->type->is_module &&
      (*object)->type->container != Class::Container::parameters &&
      (*object)->type->container != Class::Container::none) {
    const auto index = statics_.value(*node.index);
    if (!index) {
      refuse(node.index->range, "which module this is would be known only while the model runs",
             "go over the modules: for i, layer in enumerate(self.layers)");
    }
    // A known index of an existing item normally makes the whole subscript a known value.
    const Explanation what = no_such_item(**object, *index);
    refuse(node.index->range, what.message, what.remedy);
  }
  return subscripted(at, node);
}

// A slice that is the value of a variable stands for the slice written there.
jit::Expr Lowering::index(const syntax::Expression& expression) {
  const auto value = statics_.value(expression);
  const auto* slice = value ? as<Slice>(*value) : nullptr;
  if (!slice) return this->expression(expression);
  const syntax::Range at = expression.range;
  const auto part = [&](const Value& bound) {
    return is_none(bound) ? trees_.absent<jit::Expr>(at) : trees_.present(at, known(at, bound));
  };
  return jit::SliceExpr::create(trees_.place(at), part((*slice)->begin), part((*slice)->end),
                                part((*slice)->step));
}

jit::Expr Lowering::subscripted(syntax::Range at, const syntax::Subscript& node) {
  std::vector<jit::Expr> indices;
  if (const auto* tuple = std::get_if<syntax::Tuple>(&node.index->kind)) {
    for (const auto& item : tuple->items) indices.push_back(index(item));
  } else {
    indices.push_back(index(*node.index));
  }
  // TorchScript sets the end of a subscript one byte after the end of its index list.
  const syntax::Range inside = {node.index->range.begin, at.end > 0 ? at.end - 1 : at.end};
  return jit::Subscript::create(trees_.place(at), expression(*node.value),
                                trees_.list(inside, indices));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Slice& node) {
  const auto part = [&](const syntax::ExpressionPtr& bound) {
    return bound ? trees_.present(bound->range, expression(*bound)) : trees_.absent<jit::Expr>(at);
  };
  return jit::SliceExpr::create(trees_.place(at), part(node.begin), part(node.end),
                                part(node.step));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Conditional& node) {
  if (const auto holds = statics_.truth(*node.condition)) {
    return expression(*holds ? *node.body : *node.otherwise);
  }
  return trees_.conditional(at, condition(*node.condition), expression(*node.body),
                            expression(*node.otherwise));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Lambda&) {
  refuse(at, "a method cannot make a function", "write a def in the file, or another method");
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Walrus& node) {
  refuse(at, "a method cannot assign inside an expression",
         fmt::format("write a line '{} = …' before", node.name));
}

}  // namespace knead::engine::model
