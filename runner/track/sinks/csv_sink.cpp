#include "runner/track/sinks/csv_sink.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace knead::track {
namespace {

/// Formats a number so that Python and R can read it, NaN and infinities too.
std::string cell(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{}", value);
}

std::string cell(std::uint64_t count) { return std::to_string(count); }

/// The loss is one of several in the table: that of the training set.
std::string_view column_of(const ReportField& field) {
  return field.name == "loss" ? "train/loss" : field.name;
}

class CsvSink final : public Sink {
 public:
  CsvSink(const About& about, const Positions& positions, Warn warn)
      : columns_(about.evaluated),
        file_(about.folder / kCsvFile, end_of(kCsvFile, positions), std::move(warn)),
        is_new_(file_.offset() == 0) {
    if (!is_new_) return;
    std::string header;
    // The columns of a table stay those of its first start, so numbers that may be unknown have
    // none.
    for (const ReportField& field : kFixedReportFields)
      header.append(header.empty() ? "" : ",").append(column_of(field));
    for (const std::string& name : columns_) header += "," + name;
    file_.append_record(header + "\n");
  }

  bool is_new() const override { return is_new_; }

  void report(const Report& report) override {
    std::string row;
    for (const ReportField& field : kFixedReportFields) {
      if (!row.empty()) row += ',';
      std::visit([&](auto member) { row += cell(report.*member); }, field.member);
    }
    file_.append_record(row.append(columns_.size(), ',') + "\n");
  }

  void evaluated(const plan::Evaluation& evaluation) override {
    // The cells between the step and the values belong to reports, so they stay empty.
    std::string row =
        std::to_string(evaluation.step) + std::string(kFixedReportFields.size() - 1, ',');
    for (const std::string& column : columns_) row += "," + value_of(column, evaluation);
    file_.append_record(row + "\n");
  }

  void ended(RunEnd) override {}

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
