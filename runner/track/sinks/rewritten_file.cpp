#include "runner/track/sinks/rewritten_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "runner/files/file.h"
#include "runner/files/written_file.h"
#include "schema/document/error.h"

namespace knead::track {
namespace {

/// Writes a file of mode 0644 anew. Returns false, with errno set, if that fails.
bool write_file(const std::filesystem::path& path, const std::string& text) {
  const int file = files::open_written_file(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return false;
  std::size_t done = 0;
  bool is_whole = true;
  while (is_whole && done < text.size()) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    is_whole = written > 0;
    if (is_whole) done += static_cast<std::size_t>(written);
  }
  const int why = errno;
  ::close(file);
  errno = why;
  return is_whole;
}

}  // namespace

void RewrittenFile::offer(const std::function<std::string()>& make) {
  const auto now = std::chrono::steady_clock::now();
  if (written_ && now - *written_ < pause_) return;
  write(make());
}

void RewrittenFile::write(const std::string& text) {
  written_ = std::chrono::steady_clock::now();
  try {
    files::expect_replaceable(path_);
  } catch (const Error& error) {
    return fail(error.what());
  }
  std::error_code failure;
  std::filesystem::create_directories(path_.parent_path(), failure);
  if (failure) return fail(failure.message());
  // Programs that read all files *.prom of a folder do not see a name that ends in .part.
  const std::filesystem::path part =
      path_.parent_path() / fmt::format(".{}.part", path_.filename().string());
  if (!write_file(part, text) || std::rename(part.c_str(), path_.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    ::unlink(part.c_str());
    fail(why);
  }
}

void RewrittenFile::fail(const std::string& why) {
  if (!has_failed_)
    warn_(fmt::format("cannot write {}: {}; the run goes on without it", path_.string(), why));
  has_failed_ = true;
}

}  // namespace knead::track
