#include "runner/engine/metrics/metric.h"

#include <algorithm>
#include <variant>

#include "runner/engine/metrics/accuracy.h"
#include "runner/engine/metrics/auroc.h"
#include "runner/engine/metrics/confusion.h"
#include "runner/engine/metrics/errors.h"
#include "runner/engine/metrics/perplexity.h"
#include "runner/engine/metrics/script.h"

namespace knead::engine::metrics {
namespace {

/// Makes a metric of any kind.
struct Make {
  const Surroundings& around;

  using Made = std::unique_ptr<Metric>;
  Made operator()(const recipe::Accuracy& metric) const { return make_accuracy(metric, around); }
  Made operator()(const recipe::F1& metric) const { return make_f1(metric, around); }
  Made operator()(const recipe::PrecisionMetric& metric) const {
    return make_precision(metric, around);
  }
  Made operator()(const recipe::RecallMetric& metric) const { return make_recall(metric, around); }
  Made operator()(const recipe::Auroc& metric) const { return make_auroc(metric, around); }
  Made operator()(const recipe::Perplexity& metric) const {
    return make_perplexity(metric, around);
  }
  Made operator()(const recipe::BitsPerByte& metric) const {
    return make_bits_per_byte(metric, around);
  }
  Made operator()(const recipe::MaeMetric& metric) const { return make_mae(metric, around); }
  Made operator()(const recipe::MseMetric& metric) const { return make_mse(metric, around); }
  Made operator()(const recipe::RmseMetric& metric) const { return make_rmse(metric, around); }
  Made operator()(const recipe::R2Metric& metric) const { return make_r2(metric, around); }
  Made operator()(const recipe::ScriptMetric& metric) const {
    return make_script_metric(metric, around);
  }
};

}  // namespace

void Metric::merge(State& total, State part) const {
  // An empty total counts as zeros, so that the first batch needs no case of its own.
  total.resize(std::max(total.size(), part.size()));
  for (std::size_t i = 0; i < part.size(); ++i) total[i] += part[i];
}

std::vector<std::unique_ptr<Metric>> make_metrics(const std::vector<recipe::Metric>& metrics,
                                                  const Surroundings& around) {
  std::vector<std::unique_ptr<Metric>> made;
  for (const recipe::Metric& metric : metrics) made.push_back(std::visit(Make{around}, metric));
  return made;
}

}  // namespace knead::engine::metrics
