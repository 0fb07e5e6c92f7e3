#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace knead::track {

/// Builds a message in the wire format of protocol buffers (protobuf.dev, Encoding) by appending
/// fields with their numbers. Calls can be chained. Does not use libprotobuf, because a second copy
/// of it would clash with the copy in LibTorch.
class Wire {
 public:
  /// Appends an integer, a bool or an enumerator as a varint. A negative integer takes 10 bytes.
  Wire& integer(int field, std::int64_t value) {
    key(field, 0);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  /// Appends a double as 8 bytes, in little-endian order.
  Wire& number(int field, double value) {
    key(field, 1);
    little(std::bit_cast<std::uint64_t>(value), 8);
    return *this;
  }
  /// Appends a float as 4 bytes, in little-endian order.
  Wire& number(int field, float value) {
    key(field, 5);
    little(std::bit_cast<std::uint32_t>(value), 4);
    return *this;
  }
  /// Appends a string, or the bytes of an encoded message.
  Wire& bytes(int field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    text_ += value;
    return *this;
  }
  /// Appends a repeated field of doubles, packed.
  Wire& numbers(int field, std::span<const double> values) {
    Wire content;
    for (const double value : values) content.little(std::bit_cast<std::uint64_t>(value), 8);
    return bytes(field, content.text_);
  }
  /// Appends an embedded message. The order of fields within a message is that of the calls.
  Wire& message(int field, const Wire& value) { return bytes(field, value.text_); }

  /// Returns the encoded message.
  const std::string& text() const { return text_; }

 private:
  /// Appends the tag of a field; `type` is its wire type: 0 varint, 1 of 8 bytes, 2 with a length,
  /// 5 of 4 bytes.
  void key(int field, unsigned type) { varint(static_cast<std::uint64_t>(field) << 3 | type); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_ += static_cast<char>(value | 0x80);
    text_ += static_cast<char>(value);
  }
  void little(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) text_ += static_cast<char>(value >> 8 * i);
  }

  std::string text_;
};

}  // namespace knead::track
