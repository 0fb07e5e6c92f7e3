#pragma once

#include <string>
#include <vector>

namespace knead::board {

/// Lists the requests of keys.
enum class Key {
  quit,
  up,
  down,
  page_up,
  page_down,
  first,
  last,
  next_metric,
  last_metric,
  log,
  smooth,
  help,
  redraw,
  other
};

/// Takes the keys out of the bytes that a terminal sent; an escape sequence that has not ended
/// stays in `bytes` for the next call. Keys without a meaning are `other`. Pure.
std::vector<Key> take_keys(std::string& bytes);

}  // namespace knead::board
