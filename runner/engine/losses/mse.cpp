#include "runner/engine/losses/mse.h"

#include <ATen/core/Reduction.h>
#include <ATen/ops/mse_loss.h>
#include <fmt/format.h>

#include "runner/engine/tensor_words.h"
#include "schema/error.h"

namespace knead::engine::losses {
namespace {

/// The shape without a last dimension of 1: a column of numbers is a list of them.
at::IntArrayRef without_column(at::IntArrayRef shape) {
  return shape.size() == 2 && shape.back() == 1 ? shape.slice(0, 1) : shape;
}

class Mse final : public Loss {
 public:
  explicit Mse(const recipe::Mse& options) : target_(options.target) {}

  const std::string& target() const override { return target_; }

  double weight(const at::Tensor& target) override { return static_cast<double>(target.numel()); }

  at::Tensor sum(const at::Tensor& output, const at::Tensor& target) override {
    if (without_column(output.sizes()) != without_column(target.sizes()))
      throw Error(
          fmt::format("the output has the shape {}, the target '{}' {}: mse needs equal shapes",
                      shape_words(output.sizes()), target_, shape_words(target.sizes())),
          fmt::format("change the model's output or the columns of the field '{}'", target_));
    return at::mse_loss(output, target.to(output.scalar_type()).reshape(output.sizes()),
                        at::Reduction::Sum);
  }

 private:
  std::string target_;
};

}  // namespace

std::unique_ptr<Loss> make_mse(const recipe::Mse& options) {
  return std::make_unique<Mse>(options);
}

}  // namespace knead::engine::losses
