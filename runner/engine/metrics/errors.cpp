#include "runner/engine/metrics/errors.h"

#include <cmath>
#include <limits>

#include "runner/engine/losses/elementwise.h"
#include "runner/engine/metrics/compared.h"

namespace knead::engine::metrics {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Returns output and target in float64, (samples, numbers of a sample).
std::pair<at::Tensor, at::Tensor> in_columns(const at::Tensor& output, const at::Tensor& target,
                                             const std::string& asker, const std::string& field) {
  const at::Tensor wide = output.to(at::kDouble);
  const at::Tensor right = losses::aligned(target, wide, asker, field);
  const std::int64_t samples = output.dim() > 0 ? output.size(0) : 1;
  const std::int64_t columns = samples > 0 ? output.numel() / samples : 1;
  return {wide.reshape({samples, columns}), right.reshape({samples, columns})};
}

/// Computes mae, mse or rmse. State: the sum of absolute or squared differences, and their number.
class MeanError final : public Compared {
 public:
  enum class Kind { absolute, square, root };

  MeanError(Sides sides, Kind kind) : Compared(std::move(sides)), kind_(kind) {}

  double value(const State& total) const override {
    const double mean = total.empty() ? kNaN : total[0] / total[1];
    return kind_ == Kind::root ? std::sqrt(mean) : mean;
  }

 protected:
  State of(const at::Tensor& output, const at::Tensor& target) override {
    const auto [given, right] = in_columns(output, target, name(), field());
    const at::Tensor difference = given.sub(right);
    const at::Tensor size = kind_ == Kind::absolute ? difference.abs() : difference.square();
    return {size.sum().item<double>(), static_cast<double>(size.numel())};
  }

 private:
  Kind kind_;
};

/// Computes the coefficient of determination. State: the number of samples; then, for each number
/// of a sample, the mean of the target, the sum of its squared distances from that mean, and the
/// sum of squared errors. Merges states as Chan, Golub and LeVeque (1979) do, because sums of
/// squares of large numbers would cancel.
class R2 final : public Compared {
 public:
  explicit R2(Sides sides) : Compared(std::move(sides)) {}

  void merge(State& total, State part) const override {
    if (total.empty() || total[0] == 0) {
      total = std::move(part);
      return;
    }
    const double before = total[0], more = part[0], all = before + more;
    if (more == 0) return;
    for (std::size_t i = 1; i < total.size(); i += 3) {
      const double apart = part[i] - total[i];
      total[i] += apart * more / all;
      total[i + 1] += part[i + 1] + apart * apart * before * more / all;
      total[i + 2] += part[i + 2];
    }
    total[0] = all;
  }

  double value(const State& total) const override {
    if (total.empty() || total[0] < 2) return kNaN;
    double sum = 0;
    for (std::size_t i = 1; i < total.size(); i += 3) {
      const double spread = total[i + 1], error = total[i + 2];
      sum += spread > 0 ? 1 - error / spread : error == 0 ? 1 : 0;
    }
    return sum / (static_cast<double>(total.size() - 1) / 3);
  }

 protected:
  State of(const at::Tensor& output, const at::Tensor& target) override {
    const auto [given, right] = in_columns(output, target, name(), field());
    State state{static_cast<double>(right.size(0))};
    if (right.size(0) == 0) return state;
    const at::Tensor means = right.mean(0);
    const at::Tensor spreads = right.sub(means).square().sum(0);
    const at::Tensor errors = given.sub(right).square().sum(0);
    for (std::int64_t i = 0; i < right.size(1); ++i) {
      for (const at::Tensor& each : {means, spreads, errors})
        state.push_back(each[i].item<double>());
    }
    return state;
  }
};

}  // namespace

std::unique_ptr<Metric> make_mae(const recipe::MaeMetric& options, const Surroundings& around) {
  return std::make_unique<MeanError>(sides_of(options, around), MeanError::Kind::absolute);
}

std::unique_ptr<Metric> make_mse(const recipe::MseMetric& options, const Surroundings& around) {
  return std::make_unique<MeanError>(sides_of(options, around), MeanError::Kind::square);
}

std::unique_ptr<Metric> make_rmse(const recipe::RmseMetric& options, const Surroundings& around) {
  return std::make_unique<MeanError>(sides_of(options, around), MeanError::Kind::root);
}

std::unique_ptr<Metric> make_r2(const recipe::R2Metric& options, const Surroundings& around) {
  return std::make_unique<R2>(sides_of(options, around));
}

}  // namespace knead::engine::metrics
