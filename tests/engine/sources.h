#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "schema/parse.h"

namespace knead::engine::tests {

/// A folder of source files that is gone after the test.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "knead-sources-XXXXXX") {
    std::string name = path_.string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }

  /// `model.args` as a recipe would hold them.
  static schema::Node arguments(const std::string& yaml) {
    schema::Problems problems;
    return *schema::parse_yaml(
        std::make_shared<schema::Source>("recipe.yaml", "/recipe.yaml", yaml), problems);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace knead::engine::tests
