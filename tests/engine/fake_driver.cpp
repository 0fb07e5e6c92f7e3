// A libcuda.so.1 that says it has one device: what the engine asks before it loads LibTorch's CUDA
// half.
extern "C" int cuInit(unsigned) { return 0; }
extern "C" int cuDeviceGetCount(int* count) {
  *count = 1;
  return 0;
}
