#include "tests/files/simulated_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace knead::tests {

namespace fs = std::filesystem;

using files::FileError;

int SimulatedFiles::node_of(const std::string& doing, const fs::path& path) const {
  const std::optional<int> node = disk.find(path);
  if (!node) throw FileError(doing + " " + path.string(), ENOENT);
  return *node;
}

void SimulatedFiles::change(const fs::path& folder, Disk::Change change) {
  Disk::Node& node = disk.nodes[node_of("change", folder)];
  for (const auto& [name, child] : change) {
    node.names.erase(name);
    if (child) node.names[name] = *child;
  }
  node.unsynced.push_back(std::move(change));
}

int SimulatedFiles::add(const std::string& doing, const fs::path& path, bool is_folder) {
  node_of(doing, path.parent_path());
  if (disk.find(path)) throw FileError(doing + " " + path.string(), EEXIST);
  const int node = static_cast<int>(disk.nodes.size());
  disk.nodes.emplace_back(is_folder);
  change(path.parent_path(), {{path.filename(), node}});
  return node;
}

int SimulatedFiles::open_node(int node) {
  open_.push_back({node, 0, true});
  ++open_files;
  return static_cast<int>(open_.size()) - 1;
}

SimulatedFiles::Open& SimulatedFiles::at(int file) {
  if (!open_.at(file).is_open) throw std::logic_error("a descriptor that is not open");
  return open_[file];
}

int SimulatedFiles::create(const fs::path& path) { return open_node(add("create", path, false)); }

int SimulatedFiles::open(const fs::path& path) { return open_node(node_of("open", path)); }

std::size_t SimulatedFiles::write(int file, std::span<const std::byte> bytes) {
  std::string& data = disk.nodes[at(file).node].data;
  const std::uint64_t in_block = (kBlock - data.size() % kBlock) % kBlock;
  const std::uint64_t now = used();
  const std::uint64_t room = in_block + (now < capacity ? capacity - now : 0);
  const std::size_t count = std::min<std::uint64_t>(bytes.size(), room);
  if (count == 0) throw FileError("write", ENOSPC);
  data.append(reinterpret_cast<const char*>(bytes.data()), count);
  return count;
}

std::size_t SimulatedFiles::read(int file, std::span<std::byte> bytes) {
  const std::string& data = disk.nodes[at(file).node].data;
  const std::size_t count = std::min(bytes.size(), data.size() - at(file).at);
  std::memcpy(bytes.data(), data.data() + at(file).at, count);
  at(file).at += count;
  return count;
}

std::uint64_t SimulatedFiles::size(int file) {
  const Disk::Node& node = disk.nodes[at(file).node];
  if (node.is_folder) throw FileError("read", EISDIR);
  return node.data.size();
}

void SimulatedFiles::sync(int file) {
  Disk::Node& node = disk.nodes[at(file).node];
  node.synced_data = node.data;
}

void SimulatedFiles::close(int file) {
  at(file).is_open = false;
  --open_files;
}

void SimulatedFiles::make_folder(const fs::path& path) { add("make the folder", path, true); }

void SimulatedFiles::sync_folder(const fs::path& path) {
  Disk::Node& node = disk.nodes[node_of("sync the folder", path)];
  node.synced_names = node.names;
  node.unsynced.clear();
}

std::vector<files::Entry> SimulatedFiles::list(const fs::path& path) {
  const Disk::Node& node = disk.nodes[node_of("list", path)];
  if (!node.is_folder) throw FileError("list " + path.string(), ENOTDIR);
  std::vector<files::Entry> out;
  for (const auto& [name, child] : node.names) out.push_back({name, disk.nodes[child].is_folder});
  std::reverse(out.begin(), out.end());  // no order is promised
  return out;
}

void SimulatedFiles::rename(const fs::path& from, const fs::path& to) {
  if (disk.find(from.parent_path()) != disk.find(to.parent_path())) {
    throw std::logic_error("renames stay in a folder");
  }
  const int node = node_of("rename", from);
  change(from.parent_path(), {{from.filename(), std::nullopt}, {to.filename(), node}});
}

void SimulatedFiles::rename_new(const fs::path& from, const fs::path& to) {
  if (disk.find(to)) throw FileError("rename " + from.string(), EEXIST);
  rename(from, to);
}

void SimulatedFiles::remove_file(const fs::path& path) {
  if (disk.nodes[node_of("remove", path)].is_folder)
    throw FileError("remove " + path.string(), EISDIR);
  change(path.parent_path(), {{path.filename(), std::nullopt}});
}

void SimulatedFiles::remove_folder(const fs::path& path) {
  if (!disk.nodes[node_of("remove the folder", path)].names.empty()) {
    throw FileError("remove the folder " + path.string(), ENOTEMPTY);
  }
  change(path.parent_path(), {{path.filename(), std::nullopt}});
}

files::Space SimulatedFiles::space(const fs::path&) {
  const std::uint64_t now = used();
  return {invented + (now < capacity ? capacity - now : 0), "/simulated"};
}

std::uint64_t SimulatedFiles::used() const {
  std::uint64_t sum = 0;
  for (const auto& [path, data] : disk.tree()) sum += (data.size() + kBlock - 1) / kBlock * kBlock;
  return sum;
}

}  // namespace knead::tests
