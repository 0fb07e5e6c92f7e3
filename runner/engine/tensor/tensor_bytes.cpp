#include "runner/engine/tensor/tensor_bytes.h"

#include <array>
#include <cstring>

#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>

#include <fmt/format.h>

#include "runner/engine/tensor/tensor_words.h"
#include "runner/files/scratch_memory.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

/// Pairs a dtype of LibTorch with its word in the safetensors format.
struct DtypeWord {
  at::ScalarType type;
  const char* word;
};

constexpr std::array kWords{DtypeWord{at::kFloat, "F32"},       DtypeWord{at::kDouble, "F64"},
                            DtypeWord{at::kHalf, "F16"},        DtypeWord{at::kBFloat16, "BF16"},
                            DtypeWord{at::kLong, "I64"},        DtypeWord{at::kInt, "I32"},
                            DtypeWord{at::kShort, "I16"},       DtypeWord{at::kChar, "I8"},
                            DtypeWord{at::kByte, "U8"},         DtypeWord{at::kBool, "BOOL"},
                            DtypeWord{at::kComplexFloat, "C64"}};

/// Returns the dtype for a word of safetensors. Throws knead::Error for another word.
at::ScalarType type_of(const std::string& word, const std::string& name) {
  for (const DtypeWord& each : kWords) {
    if (each.word == word) return each.type;
  }
  throw Error(fmt::format("'{}' has the type {}, which this version does not read", name, word));
}

/// Formats dtype and shape for comparison and messages: "F32 (32, 10)".
std::string in_words(const std::string& dtype, c10::IntArrayRef shape) {
  return dtype + " " + shape_words(shape);
}

}  // namespace

const char* dtype_word(at::ScalarType type, const std::string& name) {
  for (const DtypeWord& each : kWords) {
    if (each.type == type) return each.word;
  }
  throw Error(
      fmt::format("'{}' has the type {}, which no file can hold", name, c10::toString(type)),
      "make it a type of safetensors: float32, bfloat16, int64, …");
}

namespace {

at::Tensor on_host(const NamedTensor& named) { return named.tensor.detach().cpu().contiguous(); }

std::span<const std::byte> bytes_of(const at::Tensor& tensor) {
  return {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()};
}

/// Returns a tensor as a file names it, without its bytes.
files::TensorBytes outline_of(const NamedTensor& named, const at::Tensor& source,
                              std::pmr::memory_resource* memory) {
  return {named.name, dtype_word(source.scalar_type(), named.name), source.sizes().vec(),
          files::OwnBytes(memory)};
}

/// Lets go of bytes that lie on a disk if copies do: they are not read again at once.
void put_away(std::span<const std::byte> bytes, std::pmr::memory_resource* memory) {
  if (const auto* disk = dynamic_cast<const files::ScratchMemory*>(memory)) disk->put_away(bytes);
}

}  // namespace

files::TensorBytes copy_bytes(const NamedTensor& named, const std::string& file,
                              checkpoint::TensorDigest* digest, std::pmr::memory_resource* memory) {
  const at::Tensor source = on_host(named);
  files::TensorBytes out = outline_of(named, source, memory);
  const std::span bytes = bytes_of(source);
  // A file is later compared with what the run held, and not with the copy that was written.
  if (digest) digest->add(file, out, bytes);
  out.bytes.resize(bytes.size());
  std::memcpy(out.bytes.data(), bytes.data(), bytes.size());
  put_away(bytes, memory);
  put_away(out.bytes, memory);
  return out;
}

void digest_bytes(const NamedTensor& named, const std::string& file,
                  checkpoint::TensorDigest& digest, std::pmr::memory_resource* memory) {
  const at::Tensor source = on_host(named);
  const std::span bytes = bytes_of(source);
  digest.add(file, outline_of(named, source, memory), bytes);
  put_away(bytes, memory);
}

void copy_into(const at::Tensor& tensor, const files::TensorBytes& saved) {
  const std::string wanted = in_words(dtype_word(tensor.scalar_type(), saved.name), tensor.sizes());
  const std::string found = in_words(saved.dtype, saved.shape);
  if (wanted != found) {
    throw Error(fmt::format("'{}' is saved as {}, the model has {}", saved.name, found, wanted),
                "the file belongs to another model");
  }
  // A parameter must not be changed in place while gradients are recorded.
  const c10::NoGradGuard no_gradients;
  tensor.copy_(to_tensor(saved));
}

at::Tensor to_tensor(const files::TensorBytes& saved) {
  at::Tensor tensor = at::empty(saved.shape, type_of(saved.dtype, saved.name));
  std::memcpy(tensor.mutable_data_ptr(), saved.bytes.data(), saved.bytes.size());
  return tensor;
}

}  // namespace knead::engine
