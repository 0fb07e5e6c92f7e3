#pragma once

#include "runner/files/file_system.h"
#include "tests/files/disk.h"

namespace knead::tests {

/// A file system in memory, on a Disk.
class SimulatedFiles : public files::FileSystem {
 public:
  explicit SimulatedFiles(Disk on = {}) : disk(std::move(on)) {}

  int create(const std::filesystem::path& path) override;
  int open(const std::filesystem::path& path) override;
  std::size_t write(int file, std::span<const std::byte> bytes) override;
  std::size_t read(int file, std::span<std::byte> bytes) override;
  std::uint64_t size(int file) override;
  void sync(int file) override;
  void close(int file) override;
  void make_folder(const std::filesystem::path& path) override;
  void sync_folder(const std::filesystem::path& path) override;
  std::vector<files::Entry> list(const std::filesystem::path& path) override;
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override;
  void rename_new(const std::filesystem::path& from, const std::filesystem::path& to) override;
  void remove_file(const std::filesystem::path& path) override;
  void remove_folder(const std::filesystem::path& path) override;
  files::Space space(const std::filesystem::path& folder) override;

  /// The bytes on it, in whole blocks, what was deleted not counted.
  std::uint64_t used() const;

  static constexpr std::uint64_t kBlock = 4096;

  Disk disk;
  std::uint64_t capacity = 1 << 30;
  std::uint64_t invented = 0;  // what space() reports besides what is there
  int open_files = 0;

 private:
  struct Open {
    int node = 0;
    std::size_t at = 0;
    bool is_open = false;
  };

  int node_of(const std::string& doing, const std::filesystem::path& path) const;
  int add(const std::string& doing, const std::filesystem::path& path, bool is_folder);
  void change(const std::filesystem::path& folder, Disk::Change change);
  int open_node(int node);
  Open& at(int file);

  std::vector<Open> open_;
};

}  // namespace knead::tests
