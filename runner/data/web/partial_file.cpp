#include "runner/data/web/partial_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>

#include <fmt/format.h>

#include "runner/files/written_file.h"
#include "schema/document/byte_words.h"
#include "schema/document/error.h"

namespace knead::data {

PartialFile::PartialFile(std::filesystem::path path) : path_(std::move(path)) { open(0); }

void PartialFile::add(const char* bytes, std::size_t count) {
  if (std::fwrite(bytes, 1, count, file_.get()) != count || std::fflush(file_.get()) != 0)
    refuse(std::strerror(errno));
  size_ += count;
}

void PartialFile::start_over() { open(O_TRUNC); }

void PartialFile::expect_room(std::uint64_t size) const {
  std::error_code failure;
  const std::filesystem::space_info space = std::filesystem::space(path_, failure);
  if (failure || size <= size_ || size - size_ <= space.available) return;
  refuse(fmt::format("the server announces {}, and the disk has {} left",
                     schema::byte_words(static_cast<double>(size)),
                     schema::byte_words(static_cast<double>(space.available))));
}

void PartialFile::open(int more_flags) {
  file_.reset();
  const int file =
      files::open_written_file(path_, O_WRONLY | O_CREAT | O_APPEND | more_flags, 0644);
  if (file < 0) refuse(std::strerror(errno));
  file_.reset(::fdopen(file, "ab"));
  if (!file_) refuse(std::strerror(errno));
  size_ = std::filesystem::file_size(path_);
}

void PartialFile::refuse(const std::string& why) const {
  throw Error(fmt::format("cannot write {}: {}", path_.string(), why),
              "KNEAD_HOME names another folder for what is fetched");
}

}  // namespace knead::data
