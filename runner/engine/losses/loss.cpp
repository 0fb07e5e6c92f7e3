#include "runner/engine/losses/loss.h"

#include <variant>

#include "runner/engine/losses/cross_entropy.h"
#include "runner/engine/losses/mse.h"

namespace knead::engine::losses {
namespace {

struct Make {
  std::unique_ptr<Loss> operator()(const recipe::CrossEntropy& options) const {
    return make_cross_entropy(options);
  }
  std::unique_ptr<Loss> operator()(const recipe::Mse& options) const { return make_mse(options); }
};

}  // namespace

std::unique_ptr<Loss> make_loss(const recipe::Loss& loss) { return std::visit(Make{}, loss); }

}  // namespace knead::engine::losses
