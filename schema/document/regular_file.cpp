#include "schema/document/regular_file.h"

#include <sys/stat.h>
#include <unistd.h>

namespace knead::schema {
namespace {

int reason_against(const struct stat& facts) {
  if (S_ISLNK(facts.st_mode)) return ELOOP;
  if (S_ISDIR(facts.st_mode)) return EISDIR;
  return S_ISREG(facts.st_mode) ? 0 : kNoRegularFile;
}

}  // namespace

OpenedFile open_regular(const std::string& path, Links links, int folder) {
  const bool is_followed = links == Links::follow;
  struct stat facts {};
  if (::fstatat(folder, path.c_str(), &facts, is_followed ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
    return {-1, errno};
  if (const int reason = reason_against(facts)) return {-1, reason};
  const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (is_followed ? 0 : O_NOFOLLOW);
  const int file = ::openat(folder, path.c_str(), flags);
  if (file < 0) return {-1, errno};
  // The name may stand for something else since it was looked at.
  const int failure = ::fstat(file, &facts) == 0 ? reason_against(facts) : errno;
  if (failure == 0) return {file, 0};
  ::close(file);
  return {-1, failure};
}

bool is_there(const std::filesystem::path& path) {
  std::error_code unreachable;
  return std::filesystem::exists(path, unreachable);
}

bool is_folder(const std::filesystem::path& path) {
  std::error_code unreachable;
  return std::filesystem::is_directory(path, unreachable);
}

}  // namespace knead::schema
