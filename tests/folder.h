#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace knead::tests {

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// An empty folder on the real disk, gone with this.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "knead-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no folder for the test");
    path_ = name;
  }
  ~Folder() {
    std::error_code failure;
    const auto here = std::filesystem::current_path(failure);
    if (here.native().starts_with(path_.native()))  // a test may have gone into it
      std::filesystem::current_path("/", failure);
    std::filesystem::remove_all(path_, failure);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  /// A file in it, with the folders above it.
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    write_text(path_ / name, text);
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace knead::tests
