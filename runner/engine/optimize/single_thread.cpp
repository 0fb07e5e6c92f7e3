#include "runner/engine/optimize/single_thread.h"

#include <omp.h>

namespace knead::engine::optimize {

// Sets OpenMP's limit and not that of at::set_num_threads(), which also starts and ends the threads
// of other pools.
SingleThread::SingleThread(std::int64_t numbers) {
  constexpr std::int64_t kFew = 1 << 17;
  if (numbers > kFew) return;
  threads_ = omp_get_max_threads();
  omp_set_num_threads(1);
}

SingleThread::~SingleThread() {
  if (threads_ > 0) omp_set_num_threads(threads_);
}

}  // namespace knead::engine::optimize
