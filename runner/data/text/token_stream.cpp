#include "runner/data/text/token_stream.h"

#include <algorithm>
#include <limits>

namespace knead::data {

TokensInMemory::TokensInMemory(std::string name, std::uint64_t vocabulary)
    : name_(std::move(name)) {
  // A vocabulary of 256 still fits one byte, since its greatest token is 255. All tokens of a text
  // are in memory, so the narrowest type decides how large a text may be.
  if (vocabulary > std::numeric_limits<std::uint8_t>::max() + 1ULL)
    tokens_.emplace<std::vector<std::uint16_t>>();
  if (vocabulary > std::numeric_limits<std::uint16_t>::max() + 1ULL)
    tokens_.emplace<std::vector<std::uint32_t>>();
}

void TokensInMemory::append(std::span<const std::uint32_t> tokens) {
  std::visit(
      [&](auto& all) {
        using Token = typename std::decay_t<decltype(all)>::value_type;
        for (const std::uint32_t token : tokens) all.push_back(static_cast<Token>(token));
      },
      tokens_);
}

std::uint64_t TokensInMemory::size() const {
  return std::visit([](const auto& all) -> std::uint64_t { return all.size(); }, tokens_);
}

void TokensInMemory::read(std::uint64_t begin, std::span<std::int64_t> out) const {
  std::visit([&](const auto& all) { std::copy_n(all.begin() + begin, out.size(), out.begin()); },
             tokens_);
}

}  // namespace knead::data
