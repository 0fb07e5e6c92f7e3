#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knead::rendezvous {

// A message is a list of texts, which may hold any bytes. On the way it is its length in bytes, and
// then each text behind its own length. Lengths have 4 bytes, the least significant first.

/// Bounds a message before a rank has proved who it is, and after that, in bytes.
inline constexpr std::size_t kLongestIntroduction = 1024;
inline constexpr std::size_t kLongestMessage = 1 << 20;

/// Returns the texts one after the other, each behind its length: two lists never give the same
/// bytes.
std::string pack(std::initializer_list<std::string_view> texts);

/// Returns a message with these texts.
std::string message_of(std::initializer_list<std::string_view> texts);

/// Holds what was received and does not make a message yet.
class Inbox {
 public:
  void add(std::string_view received) { received_ += received; }

  /// Takes the first message. Returns std::nullopt if it is not whole yet. Sets `is_broken` if it
  /// is none, or is longer than `longest`; the rest is of no use then.
  std::optional<std::vector<std::string>> take(std::size_t longest, bool& is_broken);

 private:
  std::string received_;
};

}  // namespace knead::rendezvous
