#include "runner/files/written_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace knead::files {

int open_written_file(const std::filesystem::path& path, int flags, mode_t mode) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode);
  if (file < 0) return -1;
  struct stat facts {};
  if (::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) return file;
  ::close(file);
  errno = ENXIO;
  return -1;
}

}  // namespace knead::files
