#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace knead::tests {

/// An empty folder on the real disk, gone with this.
class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "knead-test-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code failure;
    std::filesystem::current_path("/", failure);
    std::filesystem::remove_all(path_, failure);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace knead::tests
