#include "runner/files/dtypes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace knead::files {

namespace {

struct Word {
  std::string_view word;
  std::uint64_t bits;
};

// The order is that of the format; Dtype::rank is the index.
constexpr std::array<Word, 22> kWords{
    {{"BOOL", 8},        {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},
     {"I8", 8},          {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
     {"F8_E5M2FNUZ", 8}, {"I16", 16},    {"U16", 16},    {"F16", 16},    {"BF16", 16},
     {"I32", 32},        {"U32", 32},    {"F32", 32},    {"C64", 64},    {"F64", 64},
     {"I64", 64},        {"U64", 64}}};

}  // namespace

std::optional<Dtype> find_dtype(const std::string& word) {
  const auto found = std::find_if(kWords.begin(), kWords.end(),
                                  [&](const Word& known) { return known.word == word; });
  if (found == kWords.end()) return std::nullopt;
  return Dtype{static_cast<int>(found - kWords.begin()), found->bits};
}

std::optional<std::uint64_t> tensor_size(const Dtype& dtype,
                                         const std::vector<std::int64_t>& shape) {
  std::uint64_t bits = dtype.bits;
  for (const std::int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(bits, static_cast<std::uint64_t>(size), &bits)) {
      return std::nullopt;
    }
  }
  // Tensors of four- and six-bit numbers may end within a byte, and the format has no place for the
  // rest.
  if (bits % 8 != 0) return std::nullopt;
  return bits / 8;
}

}  // namespace knead::files
