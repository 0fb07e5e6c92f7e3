#include "runner/files/mapped_file.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "runner/files/open_file.h"
#include "schema/document/error.h"

namespace knead::files {

Bytes map_file(const std::filesystem::path& path) {
  const OpenFile file(path);  // a mapping outlives the descriptor
  // OpenFile has refused folders, pipes and devices, which cannot be mapped or have no size.
  file.expect_content();
  const std::uint64_t size = file.size();
  if (size == 0) return {};  // mmap() refuses a length of 0
  void* begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (begin == MAP_FAILED)
    throw Error(fmt::format("cannot map {} into memory: {}", path.string(), std::strerror(errno)),
                "its file system cannot do that, or the process may not have so much (ulimit -v)");
  const std::shared_ptr<const void> owner(begin, [size](void* mapped) { ::munmap(mapped, size); });
  return {owner, {static_cast<const char*>(begin), size}};
}

}  // namespace knead::files
