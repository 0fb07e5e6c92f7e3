#include "runner/engine/model/compile/annotation.h"

#include <map>

#include "runner/engine/model/values/values.h"

namespace knead::engine::model {
namespace {

using c10::TypePtr;

/// Returns the last part of a dotted name ("Tensor" for torch.Tensor), and for an alias the name of
/// the class that it stands for.
std::string last_name(const syntax::Expression& expression, const FindName& find) {
  if (const auto* attribute = std::get_if<syntax::Attribute>(&expression.kind)) {
    return attribute->name;
  }
  const auto* name = std::get_if<syntax::Name>(&expression.kind);
  if (!name) return "";
  const Value* value = find(name->id);
  const auto* type = value ? as<Class>(*value) : nullptr;
  return type ? (*type)->name : name->id;
}

/// Returns the type of a name without parameters; null if the name is unknown. TorchScript
/// represents a dtype as an int.
TypePtr plain_type(const std::string& name) {
  static const std::map<std::string, TypePtr> types = {
      {"Tensor", c10::TensorType::get()},     {"FloatTensor", c10::TensorType::get()},
      {"LongTensor", c10::TensorType::get()}, {"BoolTensor", c10::TensorType::get()},
      {"IntTensor", c10::TensorType::get()},  {"Parameter", c10::TensorType::get()},
      {"int", c10::IntType::get()},           {"float", c10::FloatType::get()},
      {"bool", c10::BoolType::get()},         {"str", c10::StringType::get()},
      {"None", c10::NoneType::get()},         {"NoneType", c10::NoneType::get()},
      {"Size", c10::ListType::ofInts()},      {"dtype", c10::IntType::get()},
      {"device", c10::DeviceObjType::get()},
  };
  const auto found = types.find(name);
  return found == types.end() ? nullptr : found->second;
}

/// Reads an annotation; a null result of a part makes the whole result null.
class Reader {
 public:
  explicit Reader(const FindName& find) : find_(find) {}

  TypePtr read(const syntax::Expression& annotation) const {
    if (const auto* constant = std::get_if<syntax::Constant>(&annotation.kind)) {
      return *constant == syntax::Constant::none ? TypePtr(c10::NoneType::get()) : nullptr;
    }
    if (const auto* text = std::get_if<syntax::String>(&annotation.kind)) {
      const std::size_t dot = text->value.rfind('.');
      return plain_type(dot == std::string::npos ? text->value : text->value.substr(dot + 1));
    }
    if (const auto* either = std::get_if<syntax::Binary>(&annotation.kind)) {
      if (either->op != syntax::BinaryOperator::bit_or) return nullptr;
      return one_of({read(*either->left), read(*either->right)});
    }
    if (const auto* subscript = std::get_if<syntax::Subscript>(&annotation.kind)) {
      return generic(*subscript);
    }
    return plain_type(last_name(annotation, find_));
  }

 private:
  TypePtr generic(const syntax::Subscript& subscript) const {
    const std::string name = last_name(*subscript.value, find_);
    const auto* tuple = std::get_if<syntax::Tuple>(&subscript.index->kind);
    std::vector<TypePtr> types;
    bool is_open = false;  // tuple[int, ...]
    const auto add = [&](const syntax::Expression& item) {
      const auto* constant = std::get_if<syntax::Constant>(&item.kind);
      const bool is_dots = constant && *constant == syntax::Constant::ellipsis;
      is_open = is_open || is_dots;
      if (!is_dots) types.push_back(read(item));
    };
    if (tuple) {
      for (const auto& item : tuple->items) add(item);
    } else {
      add(*subscript.index);
    }
    for (const TypePtr& type : types) {
      if (!type) return nullptr;
    }
    return made(name, types, is_open);
  }

  TypePtr made(const std::string& name, const std::vector<TypePtr>& types, bool is_open) const {
    const bool is_tuple = name == "Tuple" || name == "tuple";
    const bool is_list = name == "List" || name == "list" || name == "Sequence" ||
                         name == "Iterable" || (is_tuple && is_open);
    // TorchScript tuples have a fixed length, so tuple[int, ...] becomes a list.
    if (is_list) return types.size() == 1 ? TypePtr(c10::ListType::create(types[0])) : nullptr;
    if (is_tuple) return c10::TupleType::create(types);
    if (name == "Dict" || name == "dict" || name == "Mapping" || name == "OrderedDict") {
      return types.size() == 2 ? dict_of(types[0], types[1]) : nullptr;
    }
    if (name == "Optional")
      return types.size() == 1 ? one_of({types[0], c10::NoneType::get()}) : nullptr;
    if (name == "Union") return one_of(types);
    if (name == "Final" || name == "ClassVar") return types.size() == 1 ? types[0] : nullptr;
    return nullptr;
  }

  // Returns an Optional for a type and None, a Union for other types.
  static TypePtr one_of(const std::vector<TypePtr>& types) {
    for (const TypePtr& type : types) {
      if (!type) return nullptr;
    }
    if (types.size() == 1) return types[0];
    if (types.size() == 2 && *types[0] == *c10::NoneType::get()) {
      return c10::OptionalType::create(types[1]);
    }
    if (types.size() == 2 && *types[1] == *c10::NoneType::get()) {
      return c10::OptionalType::create(types[0]);
    }
    return c10::UnionType::create(types);
  }

  const FindName& find_;
};

}  // namespace

TypePtr dict_of(const TypePtr& key, const TypePtr& value) {
  switch (key->kind()) {
    case c10::TypeKind::IntType:
    case c10::TypeKind::BoolType:
    case c10::TypeKind::FloatType:
    case c10::TypeKind::StringType:
    case c10::TypeKind::TensorType:
    case c10::TypeKind::DeviceObjType: return c10::DictType::create(key, value);
    default: return nullptr;
  }
}

TypePtr type_of_annotation(const syntax::Expression& annotation, const FindName& find) {
  return Reader(find).read(annotation);
}

}  // namespace knead::engine::model
