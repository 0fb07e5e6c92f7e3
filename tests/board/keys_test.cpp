#include "runner/board/terminal/keys.h"

#include <catch2/catch.hpp>

using knead::board::Key;
using knead::board::take_keys;

namespace {

std::vector<Key> keys_of(std::string bytes) {
  const std::vector<Key> keys = take_keys(bytes);
  CHECK(bytes.empty());
  return keys;
}

}  // namespace

TEST_CASE("letters and the sequences of arrows are keys") {
  CHECK(keys_of("qjkgGmMls?\f") == std::vector{Key::quit, Key::down, Key::up, Key::first, Key::last,
                                               Key::next_metric, Key::last_metric, Key::log,
                                               Key::smooth, Key::help, Key::redraw});
  CHECK(keys_of("\033[A\033OB\033[H\033[4~\033[5~\033[6~") ==
        std::vector{Key::up, Key::down, Key::first, Key::last, Key::page_up, Key::page_down});
}

TEST_CASE("unknown keys and sequences do nothing") {
  CHECK(keys_of("z\033[1;5C\033[200~x") ==
        std::vector{Key::other, Key::other, Key::other, Key::other});
  CHECK(keys_of("\033q") == std::vector{Key::other, Key::quit});
}

TEST_CASE("a sequence that arrives in two parts is one key") {
  std::string bytes = "j\033[";
  CHECK(take_keys(bytes) == std::vector{Key::down});
  bytes += "A";
  CHECK(take_keys(bytes) == std::vector{Key::up});
  CHECK(bytes.empty());
  bytes = "\033[" + std::string(40, '1');  // from no keyboard
  CHECK(take_keys(bytes) == std::vector{Key::other});
}
