#include "runner/engine/metrics/metric.h"

#include <variant>

#include "runner/engine/metrics/accuracy.h"

namespace knead::engine::metrics {
namespace {

struct Make {
  const recipe::Loss& loss;

  std::unique_ptr<Metric> operator()(const recipe::Accuracy& options) const {
    return make_accuracy(options, loss);
  }
};

}  // namespace

std::vector<std::unique_ptr<Metric>> make_metrics(const std::vector<recipe::Metric>& metrics,
                                                  const recipe::Loss& loss) {
  std::vector<std::unique_ptr<Metric>> made;
  for (const recipe::Metric& metric : metrics) made.push_back(std::visit(Make{loss}, metric));
  return made;
}

}  // namespace knead::engine::metrics
