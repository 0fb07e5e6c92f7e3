#include "runner/data/arrays/stored.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace knead::data {
namespace {

struct Facts {
  std::size_t bytes;
  std::string_view word;
};

// The order is that of the enumeration, whose values are the indices.
constexpr std::array<Facts, 13> kFacts{{{1, "bool"},
                                        {1, "uint8"},
                                        {1, "int8"},
                                        {2, "uint16"},
                                        {2, "int16"},
                                        {4, "uint32"},
                                        {4, "int32"},
                                        {8, "uint64"},
                                        {8, "int64"},
                                        {2, "float16"},
                                        {2, "bfloat16"},
                                        {4, "float32"},
                                        {8, "float64"}}};

}  // namespace

std::size_t bytes_of(Stored type) { return kFacts[static_cast<std::size_t>(type)].bytes; }

std::string_view word_of(Stored type) { return kFacts[static_cast<std::size_t>(type)].word; }

bool is_floating(Stored type) { return type >= Stored::float16; }

std::uint64_t StoredArray::numbers_per_sample() const {
  std::uint64_t numbers = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) numbers *= static_cast<std::uint64_t>(shape[i]);
  return numbers;
}

std::optional<std::uint64_t> bytes_of(Stored type, const std::vector<std::int64_t>& shape) {
  // Dimensions of size 0 are left out of the product, so that no part of the shape overflows
  // either.
  std::uint64_t most = bytes_of(type);
  bool is_empty = false;
  for (const std::int64_t size : shape) {
    if (size < 0) return std::nullopt;
    is_empty = is_empty || size == 0;
    if (size > 0 && __builtin_mul_overflow(most, static_cast<std::uint64_t>(size), &most))
      return std::nullopt;
  }
  return is_empty ? 0 : most;
}

std::string shape_words(const std::vector<std::int64_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

}  // namespace knead::data
