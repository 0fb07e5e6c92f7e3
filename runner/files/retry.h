#pragma once

#include <cerrno>
#include <string>

#include "runner/files/file_system.h"

namespace knead::files {

/// Repeats a call while signals interrupt it. Rethrows every other FileError with the text "cannot
/// <doing>", because calls on a descriptor do not know the path.
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
