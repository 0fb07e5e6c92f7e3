#pragma once

#include <functional>
#include <string>

#include <catch2/catch.hpp>

#include "runner/files/mapped_file.h"
#include "schema/document/error.h"
#include "tests/data/arrays/bytes.h"
#include "tests/folder.h"

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

}  // namespace knead::tests
