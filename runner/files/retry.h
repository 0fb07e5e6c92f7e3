#pragma once

#include <cerrno>
#include <string>

#include "runner/files/file_system.h"

namespace knead::files {

/// Repeats a call while signals interrupt it, and returns its result. Rethrows every other
/// FileError with the text "cannot <doing>", because calls on a descriptor do not know the path.
/// Use it around a single call of FileSystem, never around close(): a repeated close could close a
/// file that another thread has opened.
template <class Call>
auto retry(const std::string& doing, Call call) {
  while (true) {
    try {
      return call();
    } catch (const FileError& error) {
      if (error.number() != EINTR) throw FileError(doing, error.number());
    }
  }
}

}  // namespace knead::files
