#include "runner/engine/metrics/perplexity.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <ATen/core/Reduction.h>
#include <ATen/ops/cross_entropy_loss.h>

#include "runner/engine/metrics/compared.h"

namespace knead::engine::metrics {
namespace {

/// Computes the mean negative log likelihood. State: its sum over items, and their number.
class LogLikelihood : public Compared {
 public:
  template <class Options>
  LogLikelihood(const Options& options, const Surroundings& around)
      : Compared(sides_of(options, around)), rules_(rules_of(options, around)) {}

 protected:
  State of(const at::Tensor& output, const at::Tensor& target) override {
    const ClassItems items = class_items(output, target, rules_, name(), field());
    const at::Tensor each =
        at::cross_entropy_loss(items.scores, items.classes, {}, at::Reduction::None);
    return {each.sum(at::kDouble).item<double>(), static_cast<double>(each.numel())};
  }

  /// Returns the mean in nats; NaN if there are no items.
  static double mean(const State& total) {
    return total.empty() ? std::numeric_limits<double>::quiet_NaN() : total[0] / total[1];
  }

 private:
  ClassRules rules_;
};

class Perplexity final : public LogLikelihood {
 public:
  using LogLikelihood::LogLikelihood;
  double value(const State& total) const override { return std::exp(mean(total)); }
};

class BitsPerByte final : public LogLikelihood {
 public:
  BitsPerByte(const recipe::BitsPerByte& options, const Surroundings& around)
      : LogLikelihood(options, around), bytes_per_token_(options.bytes_per_token) {}
  double value(const State& total) const override {
    return mean(total) / std::numbers::ln2 / bytes_per_token_;
  }

 private:
  double bytes_per_token_;
};

}  // namespace

std::unique_ptr<Metric> make_perplexity(const recipe::Perplexity& options,
                                        const Surroundings& around) {
  return std::make_unique<Perplexity>(options, around);
}

std::unique_ptr<Metric> make_bits_per_byte(const recipe::BitsPerByte& options,
                                           const Surroundings& around) {
  return std::make_unique<BitsPerByte>(options, around);
}

}  // namespace knead::engine::metrics
