#include "runner/engine/metrics/script.h"

#include <limits>

#include "runner/engine/losses/script_call.h"

namespace knead::engine::metrics {
namespace {

/// Averages what a function of the recipe returns. State: the sum, and the number of items.
class ScriptMetric final : public Metric {
 public:
  ScriptMetric(const recipe::ScriptMetric& options, const Surroundings& around)
      : Metric(options.name),
        call_(options.code, "metric", around.fields),
        output_(options.output ? options.output : around.output) {}

  std::vector<std::string> fields() const override { return call_.fields(); }

  State of(const c10::IValue& returned, const Samples& samples) override {
    // A metric may select another output than the loss.
    const auto result = call_.of({returned, output_}, samples);
    return {result.sum.item<double>(), result.weight};
  }

  double value(const State& total) const override {
    return total.empty() ? std::numeric_limits<double>::quiet_NaN() : total[0] / total[1];
  }

 private:
  ScriptCall call_;
  OutputKey output_;
};

}  // namespace

std::unique_ptr<Metric> make_script_metric(const recipe::ScriptMetric& options,
                                           const Surroundings& around) {
  return std::make_unique<ScriptMetric>(options, around);
}

}  // namespace knead::engine::metrics
