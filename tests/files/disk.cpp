#include "tests/files/disk.h"

#include <random>
#include <set>

namespace knead::tests {

namespace fs = std::filesystem;

namespace {

void add_to_tree(const Disk& disk, int id, const std::string& path,
                 std::map<std::string, std::string>& tree) {
  for (const auto& [name, child] : disk.nodes[id].names) {
    const Disk::Node& node = disk.nodes[child];
    if (node.is_folder) {
      tree[path + name + "/"];
      add_to_tree(disk, child, path + name + "/", tree);
    } else {
      tree[path + name] = node.data;
    }
  }
}

/// All that a power cut may leave a name for.
void add_reachable(const Disk& disk, int id, std::set<int>& reachable) {
  if (!reachable.insert(id).second) return;
  for (const auto& [name, child] : disk.nodes[id].synced_names) {
    add_reachable(disk, child, reachable);
  }
  for (const Disk::Change& change : disk.nodes[id].unsynced) {
    for (const auto& [name, child] : change) {
      if (child) add_reachable(disk, *child, reachable);
    }
  }
}

std::string cut_data(const Disk::Node& node, const Choose& choose) {
  if (node.data == node.synced_data) return node.data;
  switch (choose(4)) {
    case 0: return node.synced_data;
    case 1: return node.data;
    case 2: return node.data.substr(0, node.data.size() / 2);
    default: return std::string(node.data.size(), '\0');
  }
}

std::map<std::string, int> cut_names(const Disk::Node& node, const Choose& choose) {
  std::map<std::string, int> names = node.synced_names;
  for (const Disk::Change& change : node.unsynced) {
    if (choose(2) == 0) continue;
    for (const auto& [name, child] : change) {
      names.erase(name);
      if (child) names[name] = *child;
    }
  }
  return names;
}

}  // namespace

std::map<std::string, std::string> Disk::tree() const {
  std::map<std::string, std::string> out;
  add_to_tree(*this, 0, "", out);
  return out;
}

std::optional<int> Disk::find(const fs::path& path) const {
  int at = 0;
  for (const fs::path& part : path.lexically_normal()) {
    if (part.empty() || part == ".") continue;
    const auto found = nodes[at].names.find(part.string());
    if (found == nodes[at].names.end()) return std::nullopt;
    at = found->second;
  }
  return at;
}

std::string& Disk::data(const fs::path& path) { return nodes.at(find(path).value()).data; }

Disk Disk::rest() const {
  Disk out = *this;
  for (Node& node : out.nodes) {
    node.synced_data = node.data;
    node.synced_names = node.names;
    node.unsynced.clear();
  }
  return out;
}

Disk power_cut(const Disk& disk, const Choose& choose) {
  std::set<int> reachable;
  add_reachable(disk, 0, reachable);
  Disk out = disk;
  for (const int id : reachable) {
    out.nodes[id].data = cut_data(disk.nodes[id], choose);
    out.nodes[id].names = cut_names(disk.nodes[id], choose);
  }
  return out.rest();
}

int for_each_power_cut(const Disk& disk, int most, const std::function<void(const Disk&)>& check) {
  std::set<std::map<std::string, std::string>> seen;
  const auto check_once = [&](const Disk& left) {
    if (seen.insert(left.tree()).second) check(left);
  };
  std::vector<int> counts;
  check_once(power_cut(disk, [&](int count) { return counts.push_back(count), 0; }));
  std::vector<int> way(counts.size());
  const auto check_way = [&] {
    check_once(power_cut(disk, [&, at = std::size_t{0}](int) mutable { return way[at++]; }));
  };
  double ways = 1;
  for (const int count : counts) ways *= count;
  if (ways > most) {
    std::minstd_rand random(7);
    way.assign(counts.size(), 1);
    for (int i = 1; i < most; ++i) {
      check_way();
      for (std::size_t k = 0; k < way.size(); ++k) way[k] = static_cast<int>(random() % counts[k]);
    }
    return static_cast<int>(seen.size());
  }
  // Counts up, the first digit fastest; the way of zeros was the first above.
  while (true) {
    std::size_t digit = 0;
    while (digit < way.size() && ++way[digit] == counts[digit]) way[digit++] = 0;
    if (digit == way.size()) return static_cast<int>(seen.size());
    check_way();
  }
}

}  // namespace knead::tests
