#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <catch2/catch.hpp>

#include "runner/files/mapped_file.h"
#include "schema/document/error.h"
#include "tests/data/arrays/bytes.h"

/// How readers of files are put to the test.

namespace knead::tests {

/// The message that reading something throws; "" if it can be read.
inline std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Every beginning of the bytes is refused, by an Error with the file's name.
inline void check_truncation(const std::string& bytes,
                             const std::function<void(const std::string&)>& read) {
  read(bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    const std::string message = refusal([&] { read(bytes.substr(0, size)); });
    CHECK(message.rfind("the.file", 0) == 0);
  }
}

/// A folder of the test's own, gone with it.
class Folder {
 public:
  Folder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("knead-data-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace knead::tests
