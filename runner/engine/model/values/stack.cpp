#include "runner/engine/model/values/stack.h"

#include <pthread.h>

#include <cstddef>

#include "runner/engine/model/values/mistake.h"

namespace knead::engine::model {
namespace {

/// Enough for an operator of LibTorch, and for the error on the way up.
constexpr std::size_t kLeft = 2 << 20;

/// Returns the lowest address of this thread's stack; null if the system does not tell.
const char* lowest() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  void* address = nullptr;
  std::size_t size = 0;
  const bool is_known = pthread_attr_getstack(&attributes, &address, &size) == 0;
  pthread_attr_destroy(&attributes);
  return is_known ? static_cast<const char*>(address) : nullptr;
}

}  // namespace

void expect_stack() {
  thread_local const char* const kLowest = lowest();
  const char here = 0;
  if (kLowest != nullptr && &here - kLowest < static_cast<std::ptrdiff_t>(kLeft)) {
    throw Mistake("maximum recursion depth exceeded",
                  "something here contains itself, or nests too deep");
  }
}

}  // namespace knead::engine::model
