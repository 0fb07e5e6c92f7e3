#include "runner/track/log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>

#include "runner/files/written_file.h"

namespace knead::track {
namespace {

/// Appends lines to a descriptor, each with one write, so that a killed run loses none. The file
/// sinks of spdlog collect them in a buffer and create files that everybody may read.
class LineSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit LineSink(int file) : file_(file) {}
  ~LineSink() override { ::close(file_); }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    const ssize_t written = ::write(file_, line.data(), line.size());
    if (written > 0 && static_cast<std::size_t>(written) < line.size()) cut(written);
  }
  void flush_() override {}

  /// Takes back the part of a line that a full disk had room for.
  void cut(ssize_t written) {
    struct stat facts {};
    if (::fstat(file_, &facts) != 0 || ::ftruncate(file_, facts.st_size - written) != 0) {
      // The next line then follows the part.
    }
  }

  int file_;
};

}  // namespace

Log::Log(const std::filesystem::path& path) {
  const int file = files::open_written_file(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0) return;
  logger_ = std::make_unique<spdlog::logger>("log", std::make_shared<LineSink>(file));
  logger_->set_pattern("%Y-%m-%d %H:%M:%S  %v");
}

Log::~Log() = default;

void Log::write(std::string_view line) {
  if (logger_) logger_->info(line);
}

}  // namespace knead::track
