#include "runner/track/journal.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/files/written_file.h"
#include "schema/document/error.h"
#include "schema/document/json_text.h"

namespace knead::track {
namespace {

/// Opens a journal's file. Each failure throws, unlike later ones, which a journal only counts.
class Opening {
 public:
  explicit Opening(const std::filesystem::path& path) : path_(path) {
    // With O_APPEND a write begins at the end of the file, also after ftruncate() has moved it.
    file = files::open_written_file(path, O_RDWR | O_APPEND | O_CREAT, 0600);
    if (file < 0) refuse("open");
  }

  std::uint64_t size() const {
    struct stat facts {};
    if (::fstat(file, &facts) != 0) refuse("read");
    return static_cast<std::uint64_t>(facts.st_size);
  }

  /// Returns the offset behind the last whole line in the first `end` bytes. Reads blocks from the
  /// end.
  std::uint64_t end_of_lines(std::uint64_t end) const {
    char block[4096];
    while (end > 0) {
      const std::uint64_t begin = end - std::min<std::uint64_t>(end, sizeof block);
      const ssize_t n = ::pread(file, block, end - begin, static_cast<off_t>(begin));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) refuse("read");
      const std::string_view read(block, static_cast<std::size_t>(n));
      const std::size_t newline = read.rfind('\n');
      if (newline != read.npos) return begin + newline + 1;
      end = begin;
    }
    return 0;
  }

  void cut(std::uint64_t end) const {
    if (::ftruncate(file, static_cast<off_t>(end)) != 0) refuse("cut");
  }

  int file = -1;

 private:
  [[noreturn]] void refuse(const char* what) const {
    const std::string why = std::strerror(errno);
    if (file >= 0) ::close(file);
    throw Error(fmt::format("cannot {} {}: {}", what, path_.string(), why), "");
  }

  const std::filesystem::path& path_;
};

}  // namespace

Journal::Journal(std::filesystem::path path, std::uint64_t end, Warn warn)
    : path_(std::move(path)), warn_(std::move(warn)) {
  const Opening opening(path_);
  // A crash leaves at most a torn last line. It is cut off, so that the next line does not continue
  // it.
  const std::uint64_t size = opening.size();
  offset_ = opening.end_of_lines(std::min(size, end));
  if (offset_ < size) opening.cut(offset_);
  file_ = opening.file;
  if (end == kEverything || end <= size) return;
  warn_(fmt::format("{} lost its last {} bytes, probably when the machine stopped", path_.string(),
                    end - offset_));
}

Journal::~Journal() {
  if (!waiting_.empty()) write_waiting();
  ::close(file_);
}

void Journal::append(const nlohmann::ordered_json& line) {
  append_record(schema::readable_json_text(line) + "\n");
}

void Journal::append_record(std::string_view record) {
  waiting_ += record;
  write_waiting();
}

void Journal::write_waiting() {
  constexpr std::size_t kMostWaiting = 16U << 20U;
  if (write_all(waiting_)) {
    offset_ += waiting_.size();
    waiting_.clear();
    return;
  }
  fail("write to");
  if (waiting_.size() <= kMostWaiting) return;
  warn_(fmt::format("{} cannot be written for too long; the run goes on without {} of its lines",
                    path_.string(), std::count(waiting_.begin(), waiting_.end(), '\n')));
  waiting_.clear();
}

bool Journal::write_all(std::string_view text) {
  // After a failed line that could not be cut off, the next line must wait until it is.
  if (is_torn_ && ::ftruncate(file_, static_cast<off_t>(offset_)) != 0) return false;
  is_torn_ = false;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(file_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int why = errno;
      is_torn_ = done > 0 && ::ftruncate(file_, static_cast<off_t>(offset_)) != 0;
      errno = why;
      return false;
    }
    done += static_cast<std::size_t>(written);  // a short write means a full disk
  }
  return true;
}

void Journal::sync() {
  if (!waiting_.empty()) write_waiting();
  if (::fdatasync(file_) != 0) fail("sync");
}

void Journal::fail(const char* what) {
  const std::string why = std::strerror(errno);
  // One warning is enough: a full disk would add one at each report.
  if (++failures_ > 1) return;
  warn_(fmt::format("cannot {} {}: {}; the run goes on, and its lines wait", what, path_.string(),
                    why));
}

nlohmann::ordered_json number_as_json(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

double number_from_json(const nlohmann::ordered_json& value) {
  if (value == "NaN") return NAN;
  if (value == "Infinity") return INFINITY;
  if (value == "-Infinity") return -INFINITY;
  return value.get<double>();
}

}  // namespace knead::track
