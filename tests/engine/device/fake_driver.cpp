// A libcuda.so.1 that says it has one device: what the engine asks before it loads LibTorch's CUDA
// half. It writes into the file that FAKE_DRIVER_LOG names that it was loaded.
#include <cstdio>
#include <cstdlib>

namespace {

__attribute__((constructor)) void note_loading() {
  const char* path = std::getenv("FAKE_DRIVER_LOG");
  std::FILE* log = path ? std::fopen(path, "a") : nullptr;
  if (!log) return;
  std::fputs("the driver is loaded\n", log);
  std::fclose(log);
}

}  // namespace

extern "C" int cuInit(unsigned) { return 0; }
extern "C" int cuDeviceGetCount(int* count) {
  *count = 1;
  return 0;
}
