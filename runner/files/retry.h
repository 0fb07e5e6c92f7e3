#pragma once

#include <cerrno>
#include <string>

#include "runner/files/file_system.h"

namespace knead::files {

/// Makes a call again for as long as signals interrupt it. What else goes wrong is said as "cannot
/// <doing>", for the calls that know a descriptor only.
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
