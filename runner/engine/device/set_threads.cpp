#include "runner/engine/device/set_threads.h"

#include <omp.h>

#include <ATen/Parallel.h>
#include <c10/util/Flags.h>

// libtorch_cpu exports both, and no header of it declares them.
C10_DECLARE_int(pthreadpool_size);
extern "C" int MKL_Set_Num_Threads_Local(int threads);

namespace knead::engine {

namespace {

/// Sets the threads of this thread, behind LibTorch, which would start a pool for them.
void limit_threads(int threads) {
  at::get_num_threads();  // sets its own number, once in each thread
  omp_set_num_threads(threads);
  MKL_Set_Num_Threads_Local(threads);
}

}  // namespace

void set_threads(std::int64_t threads) {
  // The pool has one thread, which is the caller's, and at::set_num_threads() leaves it so.
  FLAGS_pthreadpool_size = 1;
  at::set_num_threads(1);
  limit_threads(static_cast<int>(threads));
}

void compute_before_forks() {
  // A process that has the pool warns of it in every fork.
  limit_threads(1);
}

}  // namespace knead::engine
