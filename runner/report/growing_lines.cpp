#include "runner/report/growing_lines.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace knead::report {
namespace {

constexpr std::size_t kPiece = 256 << 10;
constexpr std::size_t kTail = 64;

/// Closes a descriptor at the end of a scope.
struct Closing {
  ContainedFiles& files;
  int file;
  ~Closing() {
    if (file >= 0) files.close(file);
  }
};

}  // namespace

bool GrowingLines::is_continued(int file) const {
  std::array<char, kTail> bytes{};
  const auto at = static_cast<off_t>(offset_ - tail_.size());
  const ssize_t got = ::pread(file, bytes.data(), tail_.size(), at);
  return got == static_cast<ssize_t>(tail_.size()) &&
         std::string_view(bytes.data(), tail_.size()) == tail_;
}

GrowingLines::Found GrowingLines::read_on(const std::function<void(std::string_view)>& take,
                                          const std::function<void()>& restart) {
  int file = -1;
  try {
    file = files_.open_large(path_);
  } catch (const files::FileError& error) {
    if (error.number() != ENOENT) throw;
    if (offset_ == 0) return Found::more;
  }
  const Closing closing{files_, file};
  const bool restarts = file < 0 || !is_continued(file);
  if (restarts) {
    offset_ = too_long_ = 0;
    tail_.clear();
    rest_.clear();
    is_inside_long_ = false;
    restart();
  }
  if (file >= 0) read_from(file, take);
  return restarts ? Found::restarted : Found::more;
}

void GrowingLines::read_from(int file, const std::function<void(std::string_view)>& take) {
  std::string piece(kPiece, '\0');
  while (true) {
    const ssize_t got = ::pread(file, piece.data(), piece.size(), static_cast<off_t>(offset_));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw files::FileError("read " + path_.string(), errno);
    if (got == 0) return;
    const std::string_view read(piece.data(), static_cast<std::size_t>(got));
    offset_ += read.size();
    tail_.append(read.substr(read.size() - std::min(read.size(), kTail)));
    if (tail_.size() > kTail) tail_.erase(0, tail_.size() - kTail);
    take_lines(read, take);
  }
}

void GrowingLines::take_lines(std::string_view piece,
                              const std::function<void(std::string_view)>& take) {
  for (std::size_t end = piece.find('\n'); end != piece.npos; end = piece.find('\n')) {
    const std::string_view part = piece.substr(0, end);
    piece.remove_prefix(end + 1);
    if (is_inside_long_ || rest_.size() + part.size() > longest_) {
      ++too_long_;
    } else if (rest_.empty()) {
      take(part);
    } else {
      take(rest_.append(part));
    }
    is_inside_long_ = false;
    rest_.clear();
  }
  if (is_inside_long_) return;
  if (rest_.size() + piece.size() > longest_) {
    is_inside_long_ = true;
    rest_.clear();
  } else {
    rest_.append(piece);
  }
}

}  // namespace knead::report
