#include "runner/plan/decide.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "schema/document/count_words.h"

namespace knead::plan {
namespace {

/// Formats a value with six significant digits.
std::string shown(double value) { return std::isnan(value) ? "NaN" : fmt::format("{:.6g}", value); }

/// Returns every value of a metric SET/METRIC, in order.
std::vector<Value> values_of(const Evaluations& evaluations, std::string_view metric) {
  const std::size_t slash = metric.find('/');
  const std::string_view set = metric.substr(0, slash);
  const std::string_view name = metric.substr(slash + 1);
  std::vector<Value> found;
  for (const Evaluation& evaluation : evaluations) {
    if (evaluation.set != set) continue;
    for (const auto& [of, value] : evaluation.values) {
      if (of == name) found.push_back({evaluation.step, value});
    }
  }
  return found;
}

/// Returns the values that can be best, in order.
std::vector<Value> finite_values(const Evaluations& evaluations, std::string_view metric) {
  std::vector<Value> values = values_of(evaluations, metric);
  std::erase_if(values, [](const Value& value) { return !std::isfinite(value.value); });
  return values;
}

/// Compares values of a metric by its goal. Equal values are not better, so that the earliest
/// stays.
class Better {
 public:
  explicit Better(Goal goal) : high_(goal == Goal::high) {}
  bool operator()(const Value& a, const Value& b) const {
    return high_ ? a.value > b.value : a.value < b.value;
  }

 private:
  bool high_;
};

/// Counts the evaluations of a metric without improvement.
class Watch {
 public:
  explicit Watch(const Patience& patience) : patience_(patience) {}

  /// Takes the next value, and returns whether it used up the patience.
  bool see(const Value& value) {
    const double sign = patience_.goal == Goal::high ? -1 : 1;
    if (std::isfinite(value.value) &&
        (!best_ || sign * value.value < sign * best_->value - patience_.min_delta)) {
      best_ = value;
      waited_ = 0;
      return false;
    }
    return ++waited_ >= patience_.evaluations;
  }

  /// Restarts the count; the best value stays.
  void begin_again() { waited_ = 0; }
  const std::optional<Value>& best() const { return best_; }

 private:
  const Patience& patience_;
  std::optional<Value> best_;
  std::size_t waited_ = 0;
};

/// Returns the name of a metric: its own, or the one of its kind.
struct NameOf {
  std::string operator()(const recipe::Accuracy& metric) const {
    if (metric.top == 1) return named(metric, "accuracy");
    return named(metric, fmt::format("accuracy_top{}", metric.top));
  }
  std::string operator()(const recipe::F1& metric) const { return named(metric, "f1"); }
  std::string operator()(const recipe::PrecisionMetric& metric) const {
    return named(metric, "precision");
  }
  std::string operator()(const recipe::RecallMetric& metric) const {
    return named(metric, "recall");
  }
  std::string operator()(const recipe::Auroc& metric) const { return named(metric, "auroc"); }
  std::string operator()(const recipe::Perplexity& metric) const {
    return named(metric, "perplexity");
  }
  std::string operator()(const recipe::BitsPerByte& metric) const {
    return named(metric, "bits_per_byte");
  }
  std::string operator()(const recipe::MaeMetric& metric) const { return named(metric, "mae"); }
  std::string operator()(const recipe::MseMetric& metric) const { return named(metric, "mse"); }
  std::string operator()(const recipe::RmseMetric& metric) const { return named(metric, "rmse"); }
  std::string operator()(const recipe::R2Metric& metric) const { return named(metric, "r2"); }
  std::string operator()(const recipe::ScriptMetric& metric) const { return metric.name; }

 private:
  static std::string named(const auto& metric, std::string kind) {
    if (metric.name) return *metric.name;
    return kind;
  }
};

/// Returns the goal of a metric by its kind.
struct GoalOf {
  Goal operator()(const recipe::Accuracy&) const { return Goal::high; }
  Goal operator()(const recipe::F1&) const { return Goal::high; }
  Goal operator()(const recipe::PrecisionMetric&) const { return Goal::high; }
  Goal operator()(const recipe::RecallMetric&) const { return Goal::high; }
  Goal operator()(const recipe::Auroc&) const { return Goal::high; }
  Goal operator()(const recipe::R2Metric&) const { return Goal::high; }
  Goal operator()(const recipe::ScriptMetric& metric) const {
    return metric.goal == recipe::ScriptMetric::Goal::maximize ? Goal::high : Goal::low;
  }
  Goal operator()(const recipe::Perplexity&) const { return Goal::low; }
  Goal operator()(const recipe::BitsPerByte&) const { return Goal::low; }
  Goal operator()(const recipe::MaeMetric&) const { return Goal::low; }
  Goal operator()(const recipe::MseMetric&) const { return Goal::low; }
  Goal operator()(const recipe::RmseMetric&) const { return Goal::low; }
};

}  // namespace

Goal goal_of(std::string_view metric) {
  constexpr std::string_view kHigh[] = {"accuracy", "f1", "precision", "recall", "auroc", "r2"};
  const std::string_view name = metric.substr(metric.find('/') + 1);
  const bool high = std::any_of(std::begin(kHigh), std::end(kHigh), [&](std::string_view kind) {
    return name == kind || (kind == "accuracy" && name.starts_with("accuracy_top"));
  });
  return high ? Goal::high : Goal::low;
}

std::vector<std::string> metric_names(const std::vector<recipe::Metric>& metrics) {
  std::vector<std::string> names;
  for (const recipe::Metric& metric : metrics) names.push_back(std::visit(NameOf{}, metric));
  return names;
}

Objective objective(const std::string& metric, const std::vector<recipe::Metric>& metrics) {
  const std::string name = metric.substr(metric.find('/') + 1);
  for (const recipe::Metric& each : metrics) {
    if (std::visit(NameOf{}, each) == name) return {metric, std::visit(GoalOf{}, each)};
  }
  return metric;
}

Objective objective(const std::string& metric, const schema::Node& recipe) {
  const std::string name = metric.substr(metric.find('/') + 1);
  const schema::Node* metrics = schema::find_path(recipe, "evaluate.metrics");
  if (!metrics) return metric;
  for (const schema::Node& each : metrics->items) {
    const schema::Node* own = each.find("name");
    const schema::Node* type = each.find("type");
    if (!own || !type || own->text != name) continue;
    if (const schema::Node* goal = each.find("goal"))
      return {metric, goal->text == "maximize" ? Goal::high : Goal::low};
    return {metric, goal_of(type->text)};
  }
  return metric;
}

std::optional<Value> last_value(const Evaluations& evaluations, std::string_view metric) {
  const std::vector<Value> values = values_of(evaluations, metric);
  return values.empty() ? std::nullopt : std::optional<Value>(values.back());
}

std::optional<Value> best_value(const Evaluations& evaluations, const Objective& objective) {
  const std::vector<Value> values = finite_values(evaluations, objective.metric);
  if (values.empty()) return std::nullopt;
  return *std::min_element(values.begin(), values.end(), Better(objective.goal));
}

bool is_best(const Evaluations& evaluations, const Objective& objective) {
  const std::optional<Value> last = last_value(evaluations, objective.metric);
  return last && best_value(evaluations, objective) == last;
}

std::vector<std::uint64_t> best_steps(const Evaluations& evaluations, const Objective& objective,
                                      std::size_t most) {
  std::vector<Value> values = finite_values(evaluations, objective.metric);
  std::stable_sort(values.begin(), values.end(), Better(objective.goal));
  std::vector<std::uint64_t> steps;
  for (const Value& value : values) {
    if (steps.size() == most) break;
    if (std::find(steps.begin(), steps.end(), value.step) == steps.end())
      steps.push_back(value.step);
  }
  return steps;
}

std::size_t plateaus(const Evaluations& evaluations, const Patience& patience) {
  Watch watch(patience);
  std::size_t times = 0;
  for (const Value& value : values_of(evaluations, patience.metric)) {
    if (!watch.see(value)) continue;
    ++times;
    watch.begin_again();
  }
  return times;
}

Patience patience_of(const recipe::EarlyStopping& early_stopping) {
  const bool is_high = early_stopping.goal.value() == recipe::EarlyStopping::Goal::maximize;
  return {early_stopping.metric.value(), is_high ? Goal::high : Goal::low,
          static_cast<std::size_t>(early_stopping.patience.value), early_stopping.min_delta};
}

std::optional<std::string> why_stop_early(const Patience& patience,
                                          const Evaluations& evaluations) {
  Watch watch(patience);
  const std::vector<Value> values = values_of(evaluations, patience.metric);
  if (std::none_of(values.begin(), values.end(),
                   [&watch](const Value& value) { return watch.see(value); }))
    return std::nullopt;
  const std::string length = schema::count_words(patience.evaluations, "evaluation");
  if (!watch.best()) return fmt::format("{} has been no number for {}", patience.metric, length);
  return fmt::format("{} has not been better than {} (step {}) for {}", patience.metric,
                     shown(watch.best()->value), watch.best()->step, length);
}

}  // namespace knead::plan
