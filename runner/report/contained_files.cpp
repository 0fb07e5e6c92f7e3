#include "runner/report/contained_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "schema/document/regular_file.h"

namespace knead::report {

namespace fs = std::filesystem;
using files::FileError;

namespace {

[[noreturn]] void fail(const std::string& verb, const fs::path& path, int number) {
  throw FileError(verb + " " + path.string(), number);
}

[[noreturn]] void refuse_to_write(const fs::path& path) { fail("write", path, EROFS); }

/// Closes a descriptor at the end of a scope.
class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return file_; }
  int release() { return std::exchange(file_, -1); }
  void replace(int file) { ::close(std::exchange(file_, file)); }

 private:
  int file_;
};

bool is_folder(int parent, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat facts {};
  return ::fstatat(parent, entry.d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISDIR(facts.st_mode);
}

}  // namespace

ContainedFiles::ContainedFiles(fs::path root)
    : root_(std::move(root)),
      folder_(::open(root_.c_str(), O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)) {
  if (folder_ < 0) fail("read", root_, errno);
}

ContainedFiles::~ContainedFiles() { ::close(folder_); }

int ContainedFiles::open_folder(const fs::path& path) const {
  const fs::path below = path.lexically_relative(root_);
  if (below.empty()) fail("open", path, EXDEV);
  Descriptor at(::openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (const fs::path& part : below) {
    if (part == "..") fail("open", path, EXDEV);
    if (part == "." || part.empty()) continue;
    // Each part by itself, because O_NOFOLLOW is about the last part of a path only.
    const int next =
        ::openat(at.get(), part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0) fail("open", path, errno);
    at.replace(next);
  }
  return at.release();
}

int ContainedFiles::open_large(const fs::path& path) {
  const Descriptor parent(open_folder(path.parent_path()));
  const fs::path name = path.filename();
  if (name.empty() || name == "." || name == "..") fail("open", path, EXDEV);
  const schema::OpenedFile file =
      schema::open_regular(name.string(), schema::Links::refuse, parent.get());
  if (file.reason != 0) fail("open", path, file.reason);
  return file.descriptor;
}

int ContainedFiles::open(const fs::path& path) {
  Descriptor file(open_large(path));
  if (size(file.get()) > kMostBytes) fail("read", path, EFBIG);
  return file.release();
}

bool ContainedFiles::has(const fs::path& path) {
  try {
    const Descriptor parent(open_folder(path.parent_path()));
    struct stat facts {};
    return ::fstatat(parent.get(), path.filename().c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
           !S_ISLNK(facts.st_mode);
  } catch (const FileError&) {
    return false;
  }
}

std::size_t ContainedFiles::read(int file, std::span<std::byte> bytes) {
  const ssize_t got = ::read(file, bytes.data(), bytes.size());
  if (got < 0) throw FileError("read", errno);
  return static_cast<std::size_t>(got);
}

std::uint64_t ContainedFiles::size(int file) {
  struct stat facts {};
  if (::fstat(file, &facts) != 0) throw FileError("look at", errno);
  return static_cast<std::uint64_t>(facts.st_size);
}

void ContainedFiles::close(int file) { ::close(file); }

std::vector<files::Entry> ContainedFiles::list(const fs::path& path) {
  Descriptor folder(open_folder(path));
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(folder.get()), ::closedir);
  if (!entries) fail("list", path, errno);
  const int file = folder.release();  // closed with the list
  std::vector<files::Entry> found;
  errno = 0;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (found.size() == kMostEntries) fail("list", path, E2BIG);
    found.push_back({name, is_folder(file, *entry)});
    errno = 0;
  }
  if (errno != 0) fail("list", path, errno);
  return found;
}

files::Space ContainedFiles::space(const fs::path& folder) { refuse_to_write(folder); }
int ContainedFiles::create(const fs::path& path) { refuse_to_write(path); }
std::size_t ContainedFiles::write(int, std::span<const std::byte>) { refuse_to_write(root_); }
void ContainedFiles::sync(int) { refuse_to_write(root_); }
void ContainedFiles::make_folder(const fs::path& path) { refuse_to_write(path); }
void ContainedFiles::sync_folder(const fs::path& path) { refuse_to_write(path); }
void ContainedFiles::rename(const fs::path& from, const fs::path&) { refuse_to_write(from); }
void ContainedFiles::rename_new(const fs::path& from, const fs::path&) { refuse_to_write(from); }
void ContainedFiles::remove_file(const fs::path& path) { refuse_to_write(path); }
void ContainedFiles::remove_folder(const fs::path& path) { refuse_to_write(path); }

}  // namespace knead::report
