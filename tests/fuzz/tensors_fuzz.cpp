// Any bytes as a file of weights. What is accepted must lie within the file; what is refused has a
// message that names it.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "runner/files/dtypes.h"
#include "runner/weights/weights.h"
#include "schema/document/error.h"

namespace {

using namespace knead;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

/// A file in memory.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : file_(memfd_create("weights", 0)) {
    if (file_ < 0 || write(file_, data, size) != static_cast<ssize_t>(size)) fail("no memory");
  }
  ~MemoryFile() { close(file_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t kMost = 1 << 20;  // a shape may be any, where its strides are 0
  const MemoryFile file(data, size);
  try {
    weights::Weights opened = weights::open_weights(file.path(), {});
    for (const weights::StoredTensor& tensor : opened.tensors()) {
      const auto bytes = files::tensor_size(*files::find_dtype(tensor.dtype), tensor.shape);
      if (!bytes) fail("a tensor without a size");
      if (*bytes <= kMost && opened.read(tensor).bytes.size() != *bytes) fail("too few bytes");
    }
  } catch (const Error& error) {
    if (std::string(error.what()).find(file.path()) == std::string::npos)
      fail(std::string("a message without a file: ") + error.what());
  }
  return 0;
}
