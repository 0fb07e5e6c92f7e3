#include "runner/launch/host_list.h"

#include <charconv>

namespace knead::launch {
namespace {

/// Takes a number from the front of a text; -1 if there is none.
int take_number(std::string_view& text) {
  int number = -1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || number < 0) return -1;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::string first_host(std::string_view list) {
  std::string host;
  while (!list.empty() && list.front() != ',') {
    const std::size_t open = list.find_first_of("[,");
    if (open == std::string_view::npos) return host.append(list);
    host += list.substr(0, open);
    list.remove_prefix(open);
    if (!take(list, "[")) break;
    const std::size_t close = list.find(']');
    if (close == std::string_view::npos) return "";
    host += list.substr(0, std::min(close, list.find_first_of("-,")));
    list.remove_prefix(close + 1);
  }
  return host;
}

int tasks_on_node(std::string_view list, int node) {
  while (!list.empty()) {
    const int tasks = take_number(list);
    int nodes = 1;
    if (take(list, "(x")) {
      nodes = take_number(list);
      if (!take(list, ")")) return 0;
    }
    if (tasks < 0 || nodes < 0) return 0;
    if (node < nodes) return tasks;
    node -= nodes;
    if (!take(list, ",")) return 0;
  }
  return 0;
}

}  // namespace knead::launch
