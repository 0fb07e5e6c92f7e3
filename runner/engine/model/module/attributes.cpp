#include "runner/engine/model/module/attributes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <torch/csrc/jit/frontend/script_type_parser.h>

#include "runner/engine/model/module/interpreter.h"
#include "runner/engine/model/module/scripted.h"
#include "runner/engine/model/module/tensor_references.h"
#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

using c10::TypeKind;
using c10::TypePtr;
using nlohmann::json;
using Place = Model::Parts::AttributePlace;

/// --- writing

/// Returns a number as JSON; JSON has no NaN and no infinity, so these become texts.
json number_of(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

/// Writes a value; a dict becomes the list key, value, key, …, because JSON keys are texts only.
json written(const c10::IValue& value, const std::string& name, TensorWriter& tensors) {
  if (value.isNone()) return nullptr;
  if (value.isBool()) return value.toBool();
  if (value.isInt()) return value.toInt();
  if (value.isDouble()) return number_of(value.toDouble());
  if (value.isString()) return value.toStringRef();
  if (value.isTensor()) return tensors.reference(value.toTensor(), name);
  if (value.isDevice()) return value.toDevice().str();
  json items = json::array();
  const auto add = [&](const c10::IValue& item) {
    items.push_back(written(item, fmt::format("{}.{}", name, items.size()), tensors));
  };
  if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) {
      add(entry.key());
      add(entry.value());
    }
  } else if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) add(item);
  } else {
    for (const c10::IValue& item : value.toListRef()) add(item);
  }
  return items;
}

/// --- reading

/// Returns the number that number_of() wrote.
double number_in(const json& value) {
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  return value.get<double>();
}

/// Returns the items of a list, a dict or a tuple.
const json::array_t& items_in(const json& value) { return value.get_ref<const json::array_t&>(); }

/// Reads a value of a type; the inverse of written(). Throws json::exception for a value of another
/// type.
c10::IValue read(const json& value, const TypePtr& type, const TensorReader& tensors) {
  if (const auto optional = type->cast<c10::OptionalType>()) {
    return value.is_null() ? c10::IValue() : read(value, optional->getElementType(), tensors);
  }
  switch (type->kind()) {
    case TypeKind::TensorType: return tensors.tensor(value);
    case TypeKind::IntType: return value.get<std::int64_t>();
    case TypeKind::FloatType: return number_in(value);
    case TypeKind::BoolType: return value.get<bool>();
    case TypeKind::StringType: return value.get<std::string>();
    case TypeKind::NoneType: return c10::IValue();
    case TypeKind::DeviceObjType: return c10::Device(value.get<std::string>());
    default: break;
  }
  if (const auto list = type->cast<c10::ListType>()) {
    c10::impl::GenericList items(list->getElementType());
    for (const json& item : items_in(value)) {
      items.push_back(read(item, list->getElementType(), tensors));
    }
    return items;
  }
  if (const auto dict = type->cast<c10::DictType>()) {
    c10::impl::GenericDict items(dict->getKeyType(), dict->getValueType());
    for (std::size_t i = 0; i + 1 < items_in(value).size(); i += 2) {
      items.insert(read(value[i], dict->getKeyType(), tensors),
                   read(value[i + 1], dict->getValueType(), tensors));
    }
    return items;
  }
  const auto tuple = type->expect<c10::TupleType>();
  std::vector<c10::IValue> items;
  const auto types = tuple->elements();
  for (std::size_t i = 0; i < types.size(); ++i) {
    items.push_back(read(value.at(i), types[i], tensors));
  }
  return tuple->name() ? c10::ivalue::Tuple::createNamed(std::move(items), tuple)
                       : c10::ivalue::Tuple::create(std::move(items));
}

/// Reads the value of an attribute; throws knead::Error if it has another type than in the model.
c10::IValue read_attribute(const Place& place, const json& value, const TensorReader& tensors) {
  try {
    return read(value, place.type, tensors);
  } catch (const json::exception&) {
    throw Error(fmt::format("the '{}' of the checkpoint is not of the type {}", place.name,
                            place.type->annotation_str()),
                "it belongs to another model");
  }
}

/// Writes into the existing list or dict, because other attributes may refer to the same object.
void put(const Place& place, const c10::IValue& value) {
  const c10::IValue there = place.object->getSlot(place.slot);
  if (place.type->kind() == TypeKind::ListType) {
    auto list = there.toList();
    list.clear();
    for (const c10::IValue& item : value.toListRef()) list.push_back(item);
  } else if (place.type->kind() == TypeKind::DictType) {
    auto dict = there.toGenericDict();
    dict.clear();
    for (const auto& entry : value.toGenericDict()) dict.insert(entry.key(), entry.value());
  } else {
    place.object->setSlot(place.slot, value);
  }
}

/// Returns the parameters and buffers of a model; most tensors in lists are among them.
NamedTensors weights_of(const Model& model) {
  NamedTensors weights = model.parameters();
  for (const Buffer& buffer : model.buffers()) weights.push_back({buffer.name, buffer.tensor});
  return weights;
}

/// Reads the attributes of an interpreted model, which are saved with their types: they may differ
/// from one checkpoint to the next.
std::vector<Interpreter::Attribute> read_typed(const Attributes& attributes,
                                               const NamedTensors& weights) {
  const TensorReader tensors(weights, attributes.tensors);
  std::vector<Interpreter::Attribute> all;
  for (const auto& [name, typed] : attributes.values.items()) {
    try {
      const auto written_type = typed.at(0).get<std::string>();
      const TypePtr type = written_type == dtype_type()->annotation_str()
                               ? TypePtr(dtype_type())
                               : torch::jit::ScriptTypeParser().parseType(written_type);
      all.emplace_back(name, read(typed.at(1), type, tensors));
    } catch (const json::exception&) {
      throw Error(fmt::format("the '{}' of the checkpoint has no type", name),
                  "it belongs to another model");
    }
  }
  return all;
}

}  // namespace

c10::TupleTypePtr dtype_type() {
  static const auto type =
      c10::TupleType::createNamed(c10::QualifiedName("__torch__.Dtype"),
                                  std::vector<std::string>{"number"}, {c10::IntType::get()});
  return type;
}

Attributes Model::attributes() const {
  Attributes all;
  TensorWriter tensors(weights_of(*this));
  if (parts_->interpreter) {
    for (const auto& [name, value] : parts_->interpreter->attributes())
      all.values[name] = {value.type()->annotation_str(), written(value, name, tensors)};
  }
  for (const Place& place : parts_->attributes) {
    all.values[place.name] = written(place.object->getSlot(place.slot), place.name, tensors);
  }
  all.tensors = tensors.take();
  return all;
}

void Model::set_attributes(const Attributes& attributes) {
  if (parts_->interpreter) {
    parts_->interpreter->set_attributes(read_typed(attributes, weights_of(*this)));
    return;
  }
  if (parts_->attributes.empty()) return;
  const TensorReader tensors(weights_of(*this), attributes.tensors);
  for (const Place& place : parts_->attributes) {
    const auto value = attributes.values.find(place.name);
    if (value == attributes.values.end()) {
      throw Error(fmt::format("the checkpoint has no '{}'", place.name),
                  "it belongs to another model");
    }
    put(place, read_attribute(place, *value, tensors));
  }
}

Backup Model::backup() const {
  const auto& interpreter = parts_->interpreter;
  // The list of parameters need not be copied where there is nothing to back up.
  if (parts_->buffer_slots.empty() && parts_->attributes.empty() && !interpreter) return Backup({});
  std::vector<at::Tensor> parameters;
  std::vector<at::Tensor> frozen;
  for (const NamedTensor& each : parts_->parameters) {
    // An interpreted forward may write to `.data`, as spectral norms do with vectors they do not
    // train.
    const bool may_change = interpreter && !each.tensor.requires_grad();
    (may_change ? frozen : parameters).push_back(each.tensor);
  }
  Backup backup(std::move(parameters));
  for (const at::Tensor& each : frozen) backup.add(each);
  for (const auto& [object, slot] : parts_->buffer_slots) backup.add(object, slot);
  for (const Place& place : parts_->attributes) backup.add(place.object, place.slot);
  if (interpreter) {
    // The copies are those of a checkpoint.
    backup.add([this, kept = attributes()] {
      parts_->interpreter->set_attributes(read_typed(kept, weights_of(*this)));
    });
  }
  return backup;
}

}  // namespace knead::engine::model
