#include "runner/rendezvous/message.h"

#include <cstdint>

namespace knead::rendezvous {
namespace {

constexpr std::size_t kBytesOfLength = 4;

void append_length(std::string& out, std::size_t length) {
  for (std::size_t i = 0; i < kBytesOfLength; ++i)
    out += static_cast<char>((length >> (8 * i)) & 0xff);
}

std::size_t length_at(std::string_view text) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < kBytesOfLength; ++i)
    length |= static_cast<std::size_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  return length;
}

/// Returns the texts that pack() has packed; std::nullopt for other bytes.
std::optional<std::vector<std::string>> unpack(std::string_view packed) {
  std::vector<std::string> texts;
  while (!packed.empty()) {
    if (packed.size() < kBytesOfLength) return std::nullopt;
    const std::size_t length = length_at(packed);
    packed.remove_prefix(kBytesOfLength);
    if (length > packed.size()) return std::nullopt;
    texts.emplace_back(packed.substr(0, length));
    packed.remove_prefix(length);
  }
  return texts;
}

}  // namespace

std::string pack(std::initializer_list<std::string_view> texts) {
  std::string out;
  for (const std::string_view text : texts) {
    append_length(out, text.size());
    out += text;
  }
  return out;
}

std::string message_of(std::initializer_list<std::string_view> texts) {
  const std::string packed = pack(texts);
  std::string out;
  append_length(out, packed.size());
  return out + packed;
}

std::optional<std::vector<std::string>> Inbox::take(std::size_t longest, bool& is_broken) {
  if (received_.size() < kBytesOfLength) return std::nullopt;
  const std::size_t length = length_at(received_);
  is_broken = length == 0 || length > longest;
  if (is_broken || received_.size() < kBytesOfLength + length) return std::nullopt;
  auto texts = unpack(std::string_view(received_).substr(kBytesOfLength, length));
  is_broken = !texts;
  received_.erase(0, kBytesOfLength + length);
  return texts;
}

}  // namespace knead::rendezvous
