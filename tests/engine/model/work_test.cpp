#include <ATen/core/Tensor.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/fft_fft.h>
#include <ATen/ops/gru.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/zeros.h>

#include "runner/engine/model/operators/operator_work.h"
#include "runner/engine/step/backward.h"
#include "runner/engine/tensor/tensor_memory.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

using namespace knead::engine;

namespace {

at::Tensor random(at::IntArrayRef shape, bool trained = true) {
  return at::randn(shape).requires_grad_(trained);
}

struct Work {
  double forward, backward;
  bool operator==(const Work&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Work& work) {
  return out << work.forward << " and " << work.backward;
}

template <class Function>
Work work_of(const Function& function) {
  const WorkCount count;
  const at::Tensor sum = function().sum();
  const double forward = count.total();
  Backward().run(sum, at::Tensor(at::zeros({})));
  CHECK(count.unknown().empty());
  return {forward, count.total() - forward};
}

}  // namespace

// What torch.utils.flop_counter of PyTorch 2.11 counts.
TEST_CASE("the work of products and convolutions is what PyTorch counts") {
  const auto x = random({4, 5, 6});
  CHECK(work_of([&] { return at::linear(x, random({7, 6}), random({7})); }) == Work{1680, 3360});
  CHECK(work_of([&] { return at::bmm(random({2, 3, 4}), random({2, 4, 5})); }) == Work{240, 480});
  CHECK(work_of([&] {
          return at::einsum("bij,bkj->bik", {random({2, 3, 4}), random({2, 5, 4})});
        }) == Work{240, 480});
  CHECK(work_of([&] {
          return at::conv1d(random({3, 4, 9}), random({6, 4, 3}));
        }) == Work{3024, 6048});
  CHECK(work_of([&] {
          return at::conv_transpose2d(random({3, 4, 5, 6}), random({4, 6, 3, 3}), {}, 2, 1);
        }) == Work{38880, 77760});
}

TEST_CASE("a gradient that nobody wants is no work") {
  CHECK(work_of([] {
          return at::conv2d(random({3, 4, 9, 9}, false), random({6, 4, 3, 3}));
        }) == Work{63504, 63504});
  CHECK(work_of([] {
          return at::linear(random({4, 6}, false), random({7, 6}));
        }) == Work{336, 336});
}

TEST_CASE("each weight of a convolution is used at each place of the output") {
  // 3 samples, 4 × 10 places; 6 filters of 2 channels, 3 × 3.
  const auto strided = [] {
    return at::conv2d(random({3, 4, 9, 11}), random({6, 2, 3, 3}), {}, {2, 1}, {1, 0}, {1, 1}, 2);
  };
  CHECK(strided().sizes() == at::IntArrayRef({3, 6, 5, 9}));
  CHECK(work_of(strided) == Work{2.0 * 3 * 5 * 9 * 6 * 2 * 9, 2 * 2.0 * 3 * 5 * 9 * 6 * 2 * 9});
}

TEST_CASE("attention is two products forward, five backward") {
  const double product = 2.0 * 2 * 3 * 8 * 10 * 16;
  const auto attend = [] {
    return at::scaled_dot_product_attention(random({2, 3, 8, 16}), random({2, 3, 10, 16}),
                                            random({2, 3, 10, 16}));
  };
  CHECK(work_of(attend) == Work{2 * product, 5 * product});
}

TEST_CASE("recurrent layers count, fused or not") {
  const double layer = 2.0 * 4 * 3 * (28 * 5 + 28 * 7);  // 4 steps of 3 samples, 4 gates
  const std::vector<at::Tensor> lstm{random({28, 5}), random({28, 7}), random({28}), random({28})};
  const auto run = [&] {
    const std::vector<at::Tensor> state{at::zeros({1, 3, 7}), at::zeros({1, 3, 7})};
    return std::get<0>(at::lstm(random({4, 3, 5}), state, lstm, true, 1, 0.0, true, false, false));
  };
  CHECK(work_of(run) == Work{layer, 2 * layer});
  const std::vector<at::Tensor> gru{random({21, 5}), random({21, 7}), random({21}), random({21})};
  const auto steps = [&] {
    return std::get<0>(
        at::gru(random({4, 3, 5}), at::zeros({1, 3, 7}), gru, true, 1, 0.0, true, false, false));
  };
  const double forward = 2.0 * 4 * 3 * (21 * 5 + 21 * 7);
  const double first_state = 2.0 * 3 * 21 * 7;  // its gradient is nobody's
  CHECK(work_of(steps) == Work{forward, 2 * forward - first_state});
}

TEST_CASE("what may be much work and is not known is named") {
  const at::Tensor x = at::randn({8});
  const WorkCount count;
  at::fft_fft(x);
  at::linalg_vector_norm(x, 2);
  CHECK(count.total() == 0);
  CHECK(is_unknown_work("mine::attention"));
  CHECK_FALSE(is_unknown_work("detach"));  // autograd's own have no namespace
  CHECK(count.unknown() == std::map<std::string, int>{{"_fft_r2c", 1}});
}

TEST_CASE("memory is counted from its making to its end") {
  const at::Tensor before = at::zeros({1000});
  TensorMemory memory;
  {
    const at::Tensor large = at::zeros({1000});
    const at::Tensor view = large.view({10, 100});
    CHECK(memory.now() == 4000);
  }
  const at::Tensor small = at::zeros({10});
  CHECK(memory.now() == 40);
  CHECK(memory.peak() == 4000);
  memory.forget_peak();
  CHECK(memory.peak() == 40);
}

TEST_CASE("a backward pass leaves nothing behind but the gradients of leaves") {
  const at::Tensor weight = random({100});
  TensorMemory memory;
  Backward backward;
  {
    at::Tensor sum = weight;
    for (int i = 0; i < 50; ++i) sum = sum.mul(1.01);
    sum = sum.sum();
    memory.forget_peak();
    const std::int64_t before = memory.now();
    backward.run(sum, at::zeros({}));
    CHECK(memory.peak() - before < 10 * 400);  // not 50: each gradient goes when it was used
  }
  CHECK(memory.now() == 400);
}
