#include "runner/engine/model/operators/dtypes.h"

#include <utility>

#include <fmt/format.h>

#include "runner/engine/model/values/values.h"

namespace knead::engine::model {

std::optional<c10::ScalarType> to_dtype(const Value& value) {
  if (const auto* dtype = std::get_if<Dtype>(&value)) return dtype->type;
  const auto* type = as<Class>(value);
  if (type == nullptr || (*type)->file != nullptr) return std::nullopt;
  if ((*type)->name == "float") return c10::ScalarType::Double;
  if ((*type)->name == "int") return c10::ScalarType::Long;
  if ((*type)->name == "bool") return c10::ScalarType::Bool;
  return std::nullopt;
}

namespace {

constexpr std::pair<c10::ScalarType, const char*> kTensorClasses[] = {
    {c10::ScalarType::Float, "Float"}, {c10::ScalarType::Double, "Double"},
    {c10::ScalarType::Half, "Half"},   {c10::ScalarType::BFloat16, "BFloat16"},
    {c10::ScalarType::Byte, "Byte"},   {c10::ScalarType::Char, "Char"},
    {c10::ScalarType::Short, "Short"}, {c10::ScalarType::Int, "Int"},
    {c10::ScalarType::Long, "Long"},   {c10::ScalarType::Bool, "Bool"},
};

}  // namespace

std::string tensor_class_name(c10::ScalarType type) {
  for (const auto& [dtype, name] : kTensorClasses) {
    if (dtype == type) return fmt::format("torch.{}Tensor", name);
  }
  return "torch.Tensor";
}

std::optional<c10::ScalarType> dtype_of_class(const std::string& name) {
  const std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);
  for (const auto& [dtype, word] : kTensorClasses) {
    if (last == fmt::format("{}Tensor", word)) return dtype;
  }
  return std::nullopt;
}

std::string dtype_name(c10::ScalarType type) {
  switch (type) {
    case c10::ScalarType::Float: return "float32";
    case c10::ScalarType::Double: return "float64";
    case c10::ScalarType::Half: return "float16";
    case c10::ScalarType::BFloat16: return "bfloat16";
    case c10::ScalarType::Byte: return "uint8";
    case c10::ScalarType::Char: return "int8";
    case c10::ScalarType::Short: return "int16";
    case c10::ScalarType::Int: return "int32";
    case c10::ScalarType::Long: return "int64";
    case c10::ScalarType::Bool: return "bool";
    case c10::ScalarType::ComplexFloat: return "complex64";
    case c10::ScalarType::ComplexDouble: return "complex128";
    default: return c10::toString(type);
  }
}

}  // namespace knead::engine::model
