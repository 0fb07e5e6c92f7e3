#include "runner/engine/optimize/optimizer.h"

#include <variant>

#include "runner/engine/optimize/adamw.h"
#include "runner/engine/optimize/sgd.h"

namespace knead::engine::optimize {
namespace {

struct Make {
  const NamedTensors& parameters;

  std::unique_ptr<Optimizer> operator()(const recipe::AdamW& options) const {
    return make_adamw(options, parameters);
  }
  std::unique_ptr<Optimizer> operator()(const recipe::Sgd& options) const {
    return make_sgd(options, parameters);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(const recipe::Optimizer& optimizer,
                                          const NamedTensors& parameters) {
  return std::visit(Make{parameters}, optimizer);
}

}  // namespace knead::engine::optimize
