#include "runner/track/csv_sink.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace knead::track {
namespace {

constexpr const char* kReported =
    "step,epoch,samples,time,train/loss,lr,gradient_norm,samples_per_second,data_wait,skipped";
constexpr std::size_t kReportedColumns = 10;

/// Formats a number so that Python and R can read it, NaN and infinities too.
std::string cell(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{}", value);
}

class CsvSink final : public Sink {
 public:
  CsvSink(const About& about, const Positions& positions, Warn warn)
      : columns_(about.evaluated),
        file_(about.folder / kCsvFile, end_of(kCsvFile, positions), std::move(warn)),
        is_new_(file_.offset() == 0) {
    if (!is_new_) return;
    std::string header = kReported;
    for (const std::string& name : columns_) header += "," + name;
    file_.append_record(header + "\n");
  }

  bool is_new() const override { return is_new_; }

  void report(const Report& report) override {
    std::string row = fmt::format(
        "{},{},{},{},{},{},{},{},{},{}", report.step, cell(report.epoch), report.samples,
        cell(report.time), cell(report.loss), cell(report.lr), cell(report.gradient_norm),
        cell(report.samples_per_second), cell(report.data_wait), report.skipped);
    file_.append_record(row.append(columns_.size(), ',') + "\n");
  }

  void evaluated(const plan::Evaluation& evaluation) override {
    std::string row = std::to_string(evaluation.step) + std::string(kReportedColumns - 1, ',');
    for (const std::string& column : columns_) row += "," + value_of(column, evaluation);
    file_.append_record(row + "\n");
  }

  void add_positions(Positions& positions) const override { positions[kCsvFile] = file_.offset(); }

 private:
  static std::string value_of(const std::string& column, const plan::Evaluation& evaluation) {
    for (const auto& [name, value] : evaluation.values) {
      if (column == evaluation.set + "/" + name) return cell(value);
    }
    return "";
  }

  std::vector<std::string> columns_;
  Journal file_;
  bool is_new_;
};

}  // namespace

std::unique_ptr<Sink> make_csv_sink(const About& about, const Positions& positions, Warn warn) {
  return std::make_unique<CsvSink>(about, positions, std::move(warn));
}

}  // namespace knead::track
