#include "runner/weights/torch_tensor.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "runner/files/dtypes.h"

namespace knead::weights {
namespace {

constexpr std::size_t kMostDimensions = 64;  // as LibTorch has them

struct Word {
  std::string_view torch;
  std::string_view ours;
};

constexpr std::array kStorages{
    Word{"torch FloatStorage", "F32"},        Word{"torch DoubleStorage", "F64"},
    Word{"torch HalfStorage", "F16"},         Word{"torch BFloat16Storage", "BF16"},
    Word{"torch LongStorage", "I64"},         Word{"torch IntStorage", "I32"},
    Word{"torch ShortStorage", "I16"},        Word{"torch CharStorage", "I8"},
    Word{"torch ByteStorage", "U8"},          Word{"torch BoolStorage", "BOOL"},
    Word{"torch ComplexFloatStorage", "C64"}, Word{"torch.storage UntypedStorage", ""}};

// These types have no storage class of their own; torch.save writes an untyped storage and names
// the type in the tensor.
constexpr std::array kDtypes{
    Word{"torch uint16", "U16"},
    Word{"torch uint32", "U32"},
    Word{"torch uint64", "U64"},
    Word{"torch float8_e4m3fn", "F8_E4M3"},
    Word{"torch float8_e5m2", "F8_E5M2"},
    Word{"torch float8_e4m3fnuz", "F8_E4M3FNUZ"},
    Word{"torch float8_e5m2fnuz", "F8_E5M2FNUZ"},
    Word{"torch float8_e8m0fnu", "F8_E8M0"},
};

constexpr std::array kOtherTensors{
    Word{"torch._utils _rebuild_sparse_tensor", "a sparse tensor"},
    Word{"torch._utils _rebuild_sparse_csr_tensor", "a sparse tensor"},
    Word{"torch._utils _rebuild_qtensor", "a quantized tensor"},
    Word{"torch._utils _rebuild_nested_tensor", "a nested tensor"},
    Word{"torch._utils _rebuild_meta_tensor_no_storage", "a tensor without data"},
};

[[noreturn]] void refuse_tensor(const std::string& reason) { throw std::invalid_argument(reason); }
[[noreturn]] void refuse_malformed() { refuse_tensor("is not pickled as torch.save does it"); }

template <std::size_t size>
const Word* find_word(const std::array<Word, size>& words, std::string_view name) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [&](const Word& word) { return word.torch == name; });
  return found == words.end() ? nullptr : &*found;
}

using Items = std::vector<const PickledValue*>;

const Items& items_of(const PickledValue& value) {
  const auto* list = std::get_if<PickledList>(&value.kind);
  if (!list) refuse_malformed();
  return list->items;
}

std::int64_t integer_of(const PickledValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value.kind);
  if (!number || *number < 0) refuse_malformed();
  return *number;
}

std::vector<std::int64_t> counts_of(const PickledValue& value) {
  const Items& items = items_of(value);
  if (items.size() > kMostDimensions)
    refuse_tensor(
        fmt::format("has {} dimensions, where {} are the most", items.size(), kMostDimensions));
  std::vector<std::int64_t> out;
  for (const PickledValue* item : items) out.push_back(integer_of(*item));
  return out;
}

const std::string& name_of(const PickledValue& value) {
  const auto* global = std::get_if<PickledGlobal>(&value.kind);
  if (!global) refuse_malformed();
  return global->name;
}

const std::string& text_of(const PickledValue& value) {
  const auto* text = std::get_if<std::string>(&value.kind);
  if (!text) refuse_malformed();
  return *text;
}

/// Holds the function and the arguments with which Python would make a tensor.
struct Making {
  std::string_view function;
  const Items* arguments;
};

/// Unwraps parameters and tensors with attributes until the call that makes the tensor itself.
Making making_of(const PickledValue& value) {
  const PickledValue* at = &value;
  // The limit ends a pickle whose wrappers refer to themselves.
  for (int wrappings = 0; wrappings < 4; ++wrappings) {
    const auto* object = std::get_if<PickledObject>(&at->kind);
    if (!object) refuse_malformed();
    const Items& arguments = items_of(*object->arguments);
    if (object->type.starts_with("torch._utils _rebuild_parameter")) {
      if (arguments.empty()) refuse_malformed();
      at = arguments[0];
    } else if (object->type == "torch._tensor _rebuild_from_type_v2") {
      if (arguments.size() < 3) refuse_malformed();
      return {name_of(*arguments[0]), &items_of(*arguments[2])};
    } else {
      return {object->type, &arguments};
    }
  }
  refuse_malformed();
}

/// Reads the persistent id of a storage: ("storage", type, key, device, length).
PickledStorage storage_of(const PickledValue& value) {
  const auto* reference = std::get_if<PickledReference>(&value.kind);
  if (!reference) refuse_malformed();
  const Items& id = items_of(*reference->id);
  if (id.size() < 5 || text_of(*id[0]) != "storage") refuse_malformed();
  const std::string& type = name_of(*id[1]);
  const Word* word = find_word(kStorages, type);
  if (!word) refuse_tensor(fmt::format("has numbers of a kind that cannot be used here, {}", type));
  return {std::string(word->ours), text_of(*id[2]), static_cast<std::uint64_t>(integer_of(*id[4]))};
}

bool multiply(std::uint64_t a, std::uint64_t b, std::uint64_t& out) {
  return !__builtin_mul_overflow(a, b, &out);
}

/// Returns whether all numbers of a tensor lie within `size` bytes. `offset` counts numbers of
/// `item` bytes.
bool lies_within(const StoredTensor& tensor, std::uint64_t offset, std::uint64_t item,
                 std::uint64_t size) {
  if (tensor.shape.size() != tensor.strides.size()) return false;
  std::uint64_t last = offset;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (tensor.shape[i] == 0) return multiply(offset, item, bytes) && bytes <= size;
    std::uint64_t step = 0;
    if (!multiply(static_cast<std::uint64_t>(tensor.shape[i] - 1),
                  static_cast<std::uint64_t>(tensor.strides[i]), step) ||
        __builtin_add_overflow(last, step, &last))
      return false;
  }
  return !__builtin_add_overflow(last, std::uint64_t{1}, &last) && multiply(last, item, bytes) &&
         bytes <= size;
}

/// Returns the type of a storage or, if the storage is untyped, the type that the tensor names.
std::string dtype_of(const PickledStorage& storage, const Making& making) {
  if (!storage.dtype.empty()) return storage.dtype;
  if (making.function != "torch._utils _rebuild_tensor_v3" || making.arguments->size() < 7)
    refuse_malformed();
  const std::string& name = name_of(*(*making.arguments)[6]);
  const Word* word = find_word(kDtypes, name);
  if (!word) refuse_tensor(fmt::format("has numbers of a kind that cannot be used here, {}", name));
  return std::string(word->ours);
}

}  // namespace

std::string_view pickled_type(const PickledValue& value) {
  const auto* object = std::get_if<PickledObject>(&value.kind);
  return object ? object->type : std::string_view();
}

bool is_pickled_tensor(const PickledValue& value) {
  const std::string_view type = pickled_type(value);
  return type.starts_with("torch._utils _rebuild") || type.starts_with("torch._tensor _rebuild");
}

bool is_single(const PickledValue& tensor) {
  try {
    const Making making = making_of(tensor);
    return making.arguments->size() > 2 && items_of(*(*making.arguments)[2]).empty();
  } catch (const std::invalid_argument&) {
    return false;  // read_pickled_tensor() reports the fault if the tensor is used
  }
}

StoredTensor read_pickled_tensor(const PickledValue& value, const FindBlock& find_block) {
  const Making making = making_of(value);
  if (const Word* other = find_word(kOtherTensors, making.function))
    refuse_tensor(fmt::format("is {}", other->ours));
  if (!making.function.starts_with("torch._utils _rebuild_tensor"))
    refuse_tensor(fmt::format("is made by {}, which is not known here", making.function));
  const Items& arguments = *making.arguments;
  if (arguments.size() < 4) refuse_malformed();
  const PickledStorage storage = storage_of(*arguments[0]);
  StoredTensor tensor;
  tensor.dtype = dtype_of(storage, making);
  tensor.shape = counts_of(*arguments[2]);
  tensor.strides = counts_of(*arguments[3]);
  const files::Dtype dtype = *files::find_dtype(tensor.dtype);
  if (!files::tensor_size(dtype, tensor.shape))
    refuse_tensor("has a shape that no memory can hold");
  const auto [block, size] = find_block(storage);
  const auto offset = static_cast<std::uint64_t>(integer_of(*arguments[1]));
  const std::uint64_t item = dtype.bits / 8;
  if (!lies_within(tensor, offset, item, size))
    refuse_tensor(fmt::format("reaches beyond its storage of {} bytes", size));
  tensor.block = block;
  tensor.offset = offset * item;
  return tensor;
}

}  // namespace knead::weights
