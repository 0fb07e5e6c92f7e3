#include "tests/engine/model/recorded_models.h"

#include <cstring>
#include <fstream>
#include <map>

#include <ATen/core/List.h>
#include <ATen/ops/empty.h>

#include "runner/files/sha256.h"

namespace knead::engine {
namespace {

using nlohmann::json;

c10::ScalarType dtype_of(const std::string& name) {
  static const std::map<std::string, c10::ScalarType> dtypes = {
      {"float32", c10::kFloat}, {"float64", c10::kDouble},   {"int64", c10::kLong},
      {"int32", c10::kInt},     {"bool", c10::kBool},        {"float16", c10::kHalf},
      {"uint8", c10::kByte},    {"bfloat16", c10::kBFloat16}};
  return dtypes.at(name);
}

std::string hex_of(const at::Tensor& tensor) {
  static constexpr char kDigits[] = "0123456789abcdef";
  const at::Tensor flat = tensor.detach().contiguous();
  const auto* bytes = static_cast<const unsigned char*>(flat.const_data_ptr());
  std::string text;
  for (std::size_t i = 0; i < flat.nbytes(); ++i) {
    text += {kDigits[bytes[i] >> 4], kDigits[bytes[i] & 15]};
  }
  return text;
}

// Returns whether each number is within the recorded bound of the wanted one, or equal to it, as
// infinities are; two NaN count as equal. A record without a bound demands the same bits.
bool is_within_bound(const at::Tensor& tensor, const at::Tensor& wanted, const json& recorded) {
  if (!recorded.contains("bound")) return false;
  const at::Tensor a = tensor.detach().to(c10::kDouble), b = wanted.to(c10::kDouble);
  const at::Tensor is_near = a.sub(b).abs().le(recorded["bound"].get<double>());
  const at::Tensor is_same = a.eq(b).logical_or(a.ne(a).logical_and(b.ne(b)));
  return is_near.logical_or(is_same).all().item<bool>();
}

// The record of a large tensor holds a digest of its bytes, and some of its numbers.
std::string digest_difference(const at::Tensor& tensor, const json& recorded, bool exact) {
  const at::Tensor flat = tensor.detach().contiguous().reshape({-1});
  const std::string_view bytes(static_cast<const char*>(flat.const_data_ptr()), flat.nbytes());
  if (files::sha256(bytes) == recorded["digest"]) return "";
  const at::Tensor some = flat.slice(0, 0, flat.numel(), recorded["every"].get<std::int64_t>());
  json wanted = recorded;
  wanted["shape"] = some.sizes().vec();
  const at::Tensor numbers = to_tensor(wanted);
  if (!exact && is_within_bound(some, numbers, recorded)) return "";
  return c10::str("numbers: ", some, " not ", numbers);
}

std::string tensor_difference(const at::Tensor& tensor, const json& recorded, bool exact) {
  const at::Tensor wanted = to_tensor(recorded);
  if (tensor.scalar_type() != wanted.scalar_type()) {
    return std::string("dtype ") + c10::toString(tensor.scalar_type()) + ", not " +
           c10::toString(wanted.scalar_type());
  }
  if (tensor.sizes() != wanted.sizes()) {
    return "shape " + c10::str(tensor.sizes()) + ", not " + c10::str(wanted.sizes());
  }
  if (recorded.contains("digest")) return digest_difference(tensor, recorded, exact);
  if (hex_of(tensor) == recorded["tensor"]) return "";
  if (!exact && is_within_bound(tensor, wanted, recorded)) return "";
  return c10::str("numbers: ", tensor, " not ", wanted);
}

std::string items_difference(const std::vector<c10::IValue>& items, const json& recorded,
                             bool exact) {
  if (items.size() != recorded.size()) return "another number of items";
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string found = difference(items[i], recorded[i], exact);
    if (!found.empty()) return "[" + std::to_string(i) + "] " + found;
  }
  return "";
}

}  // namespace

json read_fixture(const std::filesystem::path& path) {
  std::ifstream file(path);
  return json::parse(file);
}

at::Tensor to_tensor(const json& recorded) {
  const std::vector<std::int64_t> shape = recorded["shape"];
  at::Tensor tensor = at::empty(shape, dtype_of(recorded["dtype"]));
  const std::string hex = recorded["tensor"];
  auto* bytes = static_cast<unsigned char*>(tensor.mutable_data_ptr());
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes[i / 2] = static_cast<unsigned char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return tensor;
}

c10::IValue to_value(const json& recorded) {
  if (recorded.is_null()) return {};
  if (recorded.is_boolean()) return recorded.get<bool>();
  if (recorded.is_number_integer()) return recorded.get<std::int64_t>();
  if (recorded.is_string()) return recorded.get<std::string>();
  if (recorded.contains("tensor")) return to_tensor(recorded);
  if (recorded.contains("float")) return recorded["float"].get<double>();
  if (recorded.contains("tuple")) {
    std::vector<c10::IValue> items;
    for (const json& item : recorded["tuple"]) items.push_back(to_value(item));
    return c10::ivalue::Tuple::create(std::move(items));
  }
  if (recorded.contains("list")) {
    c10::List<at::Tensor> items;
    for (const json& item : recorded["list"]) items.push_back(to_tensor(item));
    return items;
  }
  c10::Dict<std::string, at::Tensor> items;
  for (const auto& [key, item] : recorded["dict"].items()) items.insert(key, to_tensor(item));
  return items;
}

std::string difference(const c10::IValue& value, const json& recorded, bool exact) {
  if (recorded.is_null()) return value.isNone() ? "" : "not None";
  if (recorded.is_object() && recorded.contains("tensor")) {
    return value.isTensor() ? tensor_difference(value.toTensor(), recorded, exact) : "no tensor";
  }
  if (recorded.is_object() && recorded.contains("tuple")) {
    if (!value.isTuple()) return "no tuple";
    const auto& items = value.toTupleRef().elements();
    return items_difference(std::vector<c10::IValue>(items.begin(), items.end()), recorded["tuple"],
                            exact);
  }
  if (recorded.is_object() && recorded.contains("list")) {
    if (!value.isList()) return "no list";
    return items_difference(value.toListRef().vec(), recorded["list"], exact);
  }
  if (recorded.is_object() && recorded.contains("dict")) {
    if (!value.isGenericDict()) return "no dict";
    const auto dict = value.toGenericDict();
    if (dict.size() != recorded["dict"].size()) return "another number of keys";
    for (const auto& [key, item] : recorded["dict"].items()) {
      if (!dict.contains(key)) return "no key " + key;
      const std::string found = difference(dict.at(key), item, exact);
      if (!found.empty()) return "['" + key + "'] " + found;
    }
    return "";
  }
  return c10::str(value) == c10::str(to_value(recorded)) ? "" : c10::str(value);
}

std::vector<at::Tensor> tensors_in(const c10::IValue& value) {
  std::vector<at::Tensor> tensors;
  value.visit([&](const c10::IValue& item) {
    if (item.isTensor()) tensors.push_back(item.toTensor());
    return false;
  });
  return tensors;
}

}  // namespace knead::engine
