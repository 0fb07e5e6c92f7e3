#pragma once

#include <memory>

#include <ATen/core/function.h>

namespace knead::engine::model {

/// Returns a function that computes what a compiled method computes, with the bodies of all
/// functions and methods that it calls in place of the calls, and optimises it for its first run.
/// LibTorch does the same when a method runs first, but it optimises each method with all that is
/// inlined in it, and then again within each caller; here a function that calls others is optimised
/// as a part of the whole only. The called functions must outlive the result.
std::unique_ptr<torch::jit::Function> inlined(torch::jit::Function& method);

/// Returns inlined(method), which is made at the first call and kept as long as the graph of
/// `method` exists, so that the loops of methods that operators call count their steps too. Several
/// threads may call it at the same time.
torch::jit::Function& kept_inlined(torch::jit::Function& method);

}  // namespace knead::engine::model
