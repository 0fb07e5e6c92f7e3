#include "runner/track/sinks/prometheus.h"

#include <cmath>
#include <ctime>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "runner/track/sinks/rewritten_file.h"

namespace knead::track {
namespace {

/// Describes a number of a report for Prometheus. Only a number that never falls is a counter.
struct ReportMetric {
  std::string_view field;
  std::string_view name;
  std::string_view kind;
  std::string_view help;
};

constexpr ReportMetric kReportMetrics[] = {
    {"step", "knead_train_steps_total", "counter", "Completed steps of the run."},
    {"epoch", "knead_train_epochs", "gauge", "Completed epochs, with their fraction."},
    {"samples", "knead_train_samples_total", "counter", "Samples consumed."},
    {"time", "knead_train_seconds_total", "counter", "Seconds of training."},
    {"loss", "knead_train_loss", "gauge", "Mean loss since the report before."},
    {"lr", "knead_train_learning_rate", "gauge", "Learning rate of the last update."},
    {"gradient_norm", "knead_train_gradient_norm", "gauge",
     "Norm of the gradients of the last update, before clipping."},
    {"samples_per_second", "knead_train_samples_per_second", "gauge",
     "Samples of all ranks per second since the report before."},
    {"data_wait", "knead_train_data_wait_ratio", "gauge",
     "Share of the time in which training waited for samples."},
    {"skipped", "knead_train_skipped_updates_total", "counter",
     "Updates left out because a number was not finite."},
    {"mfu", "knead_train_mfu_ratio", "gauge",
     "Operations of training per second, of those that the devices can do."},
};

std::string sample_value(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

std::string sample_value(std::uint64_t count) { return std::to_string(count); }

const ReportMetric& metric_of(const ReportField& field) {
  for (const ReportMetric& metric : kReportMetrics) {
    if (metric.field == field.name) return metric;
  }
  throw std::logic_error("a number of a report has no name for Prometheus");
}

std::string head(std::string_view name, std::string_view kind, std::string_view help) {
  return fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, kind, help);
}

class Prometheus final : public Sink {
 public:
  Prometheus(const recipe::PrometheusSink& kind, const About& about, Warn warn)
      : run_(label_text(about.name())), file_(kind.path.value(), std::move(warn)) {
    file_.write(content());
  }

  bool is_new() const override { return true; }

  void report(const Report& report) override {
    report_ = report;
    arrived();
  }

  void evaluated(const plan::Evaluation& evaluation) override {
    for (const auto& [name, value] : evaluation.values) values_[{evaluation.set, name}] = value;
    arrived();
  }

  void ended(RunEnd end) override {
    state_ = end == RunEnd::finished ? "finished" : end == RunEnd::failed ? "failed" : "stopped";
    file_.write(content());
  }

  void add_positions(Positions&) const override {}

 private:
  void arrived() {
    arrived_ = std::time(nullptr);
    file_.offer([this] { return content(); });
  }

  std::string content() const {
    std::string text = head("knead_run_state", "gauge", "1 for the state that the run is in.");
    for (const std::string_view state : {"running", "finished", "failed", "stopped"})
      text += fmt::format("knead_run_state{{run=\"{}\",state=\"{}\"}} {}\n", run_, state,
                          state == state_ ? 1 : 0);
    text += head("knead_last_report_timestamp_seconds", "gauge",
                 "When the last number arrived here, in seconds since 1970.");
    text += fmt::format("knead_last_report_timestamp_seconds{{run=\"{}\"}} {}\n", run_, arrived_);
    if (report_) text += samples_of(*report_);
    if (values_.empty()) return text;
    text += head("knead_evaluation", "gauge", "The last value of a metric of an evaluation.");
    for (const auto& [name, value] : values_)
      text += fmt::format("knead_evaluation{{run=\"{}\",set=\"{}\",metric=\"{}\"}} {}\n", run_,
                          label_text(name.first), label_text(name.second), sample_value(value));
    return text;
  }

  std::string samples_of(const Report& report) const {
    std::string text;
    for (const ReportField& field : fields_of(report)) {
      const ReportMetric& metric = metric_of(field);
      text += head(metric.name, metric.kind, metric.help);
      const auto add = [&](auto member) {
        text +=
            fmt::format("{}{{run=\"{}\"}} {}\n", metric.name, run_, sample_value(report.*member));
      };
      std::visit(add, field.member);
    }
    return text;
  }

  std::string run_;  // as the value of a label
  RewrittenFile file_;
  std::string_view state_ = "running";
  std::time_t arrived_ = std::time(nullptr);
  std::optional<Report> report_;
  std::map<std::pair<std::string, std::string>, double> values_;  // by set and metric
};

}  // namespace

std::string label_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '"') escaped += '\\';
    if (c == '\n') {
      escaped += "\\n";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::unique_ptr<Sink> make_prometheus(const recipe::PrometheusSink& kind, const About& about,
                                      Warn warn) {
  return std::make_unique<Prometheus>(kind, about, std::move(warn));
}

}  // namespace knead::track
