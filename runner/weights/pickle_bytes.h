#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace knead::weights {

/// Refuses a pickle. The reason begins with "it" or "its" and ends a sentence that names the file.
[[noreturn]] inline void refuse_pickle(const std::string& reason) {
  throw std::invalid_argument(reason);
}

/// Reads the bytes of a pickle from the first to the last. Every function moves past what it reads,
/// and throws std::invalid_argument if the pickle ends before.
class PickleBytes {
 public:
  /// Borrows the bytes.
  explicit PickleBytes(std::string_view bytes) : bytes_(bytes) {}

  /// Returns the next bytes.
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size() - at_) refuse_pickle("its pickle is cut short");
    const std::string_view taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }

  /// Reads a little-endian number.
  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  double big_endian_double() {
    const std::uint64_t bits = __builtin_bswap64(number<std::uint64_t>());
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  /// Returns the text up to the next line feed, without it.
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == bytes_.npos) refuse_pickle("its pickle is cut short");
    const std::string_view text = take(end - at_);
    take(1);
    return text;
  }

  /// Reads an integer of `size` bytes in two's complement, little-endian. Returns std::nullopt for
  /// one of more than 64 bits.
  std::optional<std::int64_t> long_number(std::uint64_t size) {
    const std::string_view digits = take(size);
    if (size > sizeof(std::int64_t)) return std::nullopt;
    const bool is_negative = size > 0 && (digits.back() & 0x80);
    // Starting from -1 extends the sign of a number of fewer than 8 bytes.
    std::int64_t value = is_negative ? -1 : 0;
    std::memcpy(&value, digits.data(), size);
    return value;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace knead::weights
