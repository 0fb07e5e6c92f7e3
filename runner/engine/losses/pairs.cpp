#include "runner/engine/losses/pairs.h"

#include <ATen/core/Reduction.h>
#include <ATen/ops/cosine_embedding_loss.h>
#include <ATen/ops/margin_ranking_loss.h>
#include <fmt/format.h>

#include "runner/engine/losses/classes.h"
#include "runner/engine/losses/elementwise.h"
#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/error.h"

namespace knead::engine::losses {
namespace {

/// Returns the two outputs that a loss takes. Throws UnfitOutput unless they have the same shape.
std::pair<at::Tensor, at::Tensor> two_alike(const Output& output, const std::string& asker) {
  const auto both = output.two(asker);
  if (both.first.sizes() == both.second.sizes()) return both;
  throw UnfitOutput(
      fmt::format("the outputs have the shapes {} and {}: {} needs equal shapes",
                  shape_words(both.first.sizes()), shape_words(both.second.sizes()), asker),
      "change the model's outputs");
}

class CosineEmbedding final : public Loss {
 public:
  explicit CosineEmbedding(const recipe::CosineEmbedding& options)
      : fields_{options.target}, margin_(options.margin) {}

  const std::vector<std::string>& fields() const override { return fields_; }

  Part of(const Output& output, const Samples& samples) override {
    const auto [first, second] = two_alike(output, "cosine_embedding");
    const at::Tensor& target = samples.at(fields_[0]);
    expect_signs(target, "cosine_embedding", fields_[0]);
    // Torch would also take one vector without samples, (D), which no batch has.
    if (first.dim() != 2 || target.numel() != first.size(0))
      throw UnfitOutput(
          fmt::format("the outputs have the shape {}, the target '{}' {}: cosine_embedding "
                      "needs (N, D) and (N)",
                      shape_words(first.sizes()), fields_[0], shape_words(target.sizes())),
          "give the model a vector for each sample, the field one number");
    const at::Tensor signs = samples.on_device(fields_[0]).to(options_beside(first)).reshape(-1);
    return {at::cosine_embedding_loss(first, second, signs, margin_, at::Reduction::Sum),
            static_cast<double>(signs.numel())};
  }

 private:
  std::vector<std::string> fields_;
  double margin_;
};

class MarginRanking final : public Loss {
 public:
  explicit MarginRanking(const recipe::MarginRanking& options)
      : fields_{options.target}, margin_(options.margin) {}

  const std::vector<std::string>& fields() const override { return fields_; }

  Part of(const Output& output, const Samples& samples) override {
    const auto [first, second] = two_alike(output, "margin_ranking");
    const at::Tensor& target = samples.at(fields_[0]);
    expect_signs(target, "margin_ranking", fields_[0]);
    const at::Tensor signs =
        aligned(samples.on_device(fields_[0]), first, "margin_ranking", fields_[0]);
    return {at::margin_ranking_loss(first, second, signs, margin_, at::Reduction::Sum),
            static_cast<double>(signs.numel())};
  }

 private:
  std::vector<std::string> fields_;
  double margin_;
};

}  // namespace

std::unique_ptr<Loss> make_cosine_embedding(const recipe::CosineEmbedding& options) {
  return std::make_unique<CosineEmbedding>(options);
}

std::unique_ptr<Loss> make_margin_ranking(const recipe::MarginRanking& options) {
  return std::make_unique<MarginRanking>(options);
}

}  // namespace knead::engine::losses
