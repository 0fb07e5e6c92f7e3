#include "runner/board/terminal/keys.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace knead::board {
namespace {

constexpr std::array<std::pair<std::string_view, Key>, 16> kSequences{{{"[A", Key::up},
                                                                       {"OA", Key::up},
                                                                       {"[B", Key::down},
                                                                       {"OB", Key::down},
                                                                       {"[5~", Key::page_up},
                                                                       {"[6~", Key::page_down},
                                                                       {"[H", Key::first},
                                                                       {"OH", Key::first},
                                                                       {"[1~", Key::first},
                                                                       {"[7~", Key::first},
                                                                       {"[F", Key::last},
                                                                       {"OF", Key::last},
                                                                       {"[4~", Key::last},
                                                                       {"[8~", Key::last},
                                                                       {"[C", Key::next_metric},
                                                                       {"[D", Key::last_metric}}};

Key key_of(char byte) {
  switch (byte) {
    case 'q':
    case 'Q': return Key::quit;
    case 'k': return Key::up;
    case 'j': return Key::down;
    case 'g': return Key::first;
    case 'G': return Key::last;
    case 'm':
    case '\t': return Key::next_metric;
    case 'M': return Key::last_metric;
    case 'l': return Key::log;
    case 's': return Key::smooth;
    case '?':
    case 'h': return Key::help;
    case '\f': return Key::redraw;
    default: return Key::other;
  }
}

bool is_final(char byte) { return byte >= 0x40 && byte <= 0x7E; }

/// Returns the length of the escape sequence at the beginning of a text, ESC included; std::nullopt
/// if it has not ended.
std::optional<std::size_t> sequence_length(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  if (text[1] == 'O') return text.size() < 3 ? std::nullopt : std::optional<std::size_t>(3);
  if (text[1] != '[') return 1;  // the key Esc, before another key
  for (std::size_t at = 2; at < text.size(); ++at) {
    if (is_final(text[at])) return at + 1;
  }
  constexpr std::size_t kLongest = 32;
  return text.size() > kLongest ? std::optional(text.size()) : std::nullopt;
}

}  // namespace

std::vector<Key> take_keys(std::string& bytes) {
  std::vector<Key> keys;
  std::size_t at = 0;
  while (at < bytes.size()) {
    if (bytes[at] != '\033') {
      keys.push_back(key_of(bytes[at++]));
      continue;
    }
    const auto length = sequence_length(std::string_view(bytes).substr(at));
    if (!length) break;
    Key key = Key::other;
    for (const auto& [sequence, meaning] : kSequences) {
      if (bytes.compare(at + 1, *length - 1, sequence) == 0) key = meaning;
    }
    keys.push_back(key);
    at += *length;
  }
  bytes.erase(0, at);
  return keys;
}

}  // namespace knead::board
