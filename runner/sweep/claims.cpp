#include "runner/sweep/claims.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::sweep {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const char* what) {
  throw Error(fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno)),
              "a sweep needs a folder that it may write to, on a file system with locks: set "
              "output to one");
}

/// Describes a lock on the byte of a trial. Two trials have the same byte only if 62 bits of their
/// digests agree.
struct flock byte_of(const std::string& id, short kind) {
  struct flock lock {};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(std::stoull(id, nullptr, 16) >> 2);
  lock.l_len = 1;
  return lock;
}

}  // namespace

Claims::Claims(const std::filesystem::path& folder)
    : path_(folder / kClaimsFile),
      file_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
  if (file_ < 0) refuse(path_, "open");
}

Claims::~Claims() { close(file_); }

bool Claims::take(const std::string& id) {
  struct flock lock = byte_of(id, F_WRLCK);
  // Locks of the open file, and not of the process, which would lose all of them as soon as any
  // descriptor of the file is closed.
  while (fcntl(file_, F_OFD_SETLK, &lock) != 0) {
    if (errno == EAGAIN || errno == EACCES) return false;
    if (errno != EINTR) refuse(path_, "lock");
  }
  return true;
}

void Claims::release(const std::string& id) {
  struct flock lock = byte_of(id, F_UNLCK);
  fcntl(file_, F_OFD_SETLK, &lock);
}

}  // namespace knead::sweep
