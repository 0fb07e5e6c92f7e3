#include "runner/track/tracker.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/files/read.h"
#include "runner/plan/decide.h"
#include "runner/track/journal_lines.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"

namespace knead::track {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the text of a journal; empty if there is no file.
std::string text_of(const std::filesystem::path& path) {
  return schema::is_there(path) ? files::read_text(path) : "";
}

/// Parses the line at [begin, end) of a journal's text by `read`. Throws knead::Error with file and
/// line if that fails.
template <class Item>
Item read_line(const std::filesystem::path& path, std::string_view text, std::size_t begin,
               std::size_t end, Item (*read)(const Json&)) {
  try {
    return read(Json::parse(text.substr(begin, end - begin)));
  } catch (const nlohmann::json::exception&) {
    const std::string_view above = text.substr(0, begin);
    throw Error(fmt::format("{}:{}: this line cannot be read", path.string(),
                            1 + std::count(above.begin(), above.end(), '\n')),
                "knead writes this file; take the line out if you can do without it");
  }
}

/// Parses each line that ends with a newline.
template <class Item>
std::vector<Item> read_lines(const std::filesystem::path& path, Item (*read)(const Json&)) {
  const std::string text = text_of(path);
  std::vector<Item> items;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    items.push_back(read_line(path, text, begin, end, read));
    begin = end + 1;
  }
  return items;
}

}  // namespace

Tracker::Tracker(const std::filesystem::path& folder, plan::Objective monitor,
                 const Positions& positions, Console& console)
    : folder_(folder),
      monitor_(std::move(monitor)),
      console_(console),
      metrics_(std::in_place, folder / kMetricsFile, end_of(kMetricsFile, positions),
               [&console](const std::string& text) { console.warn(text); }),
      evaluated_(std::in_place, folder / kEvaluationsFile, end_of(kEvaluationsFile, positions),
                 [&console](const std::string& text) { console.warn(text); }),
      evaluations_(read_evaluations(folder / kEvaluationsFile)) {
  if (std::filesystem::exists(folder / kGeneratedFile))
    open_generated(end_of(kGeneratedFile, positions));
}

Tracker::Tracker(plan::Objective monitor, plan::Evaluations evaluations, Console& console)
    : monitor_(std::move(monitor)), console_(console), evaluations_(std::move(evaluations)) {}

Tracker::~Tracker() {
  if (!has_ended_) ended(RunEnd::failed);
}

void Tracker::report(const Report& report) {
  // The journal comes first: a sink that lacks a line is filled again from it.
  if (metrics_) metrics_->append(as_json(report));
  for (const auto& sink : sinks_) sink->report(report);
  console_.report(report);
}

void Tracker::evaluated(const plan::Evaluation& evaluation) {
  if (evaluated_) {
    evaluated_->append(as_json(evaluation));
    evaluated_->sync();  // which checkpoint is best is read from this journal
  }
  for (const auto& sink : sinks_) sink->evaluated(evaluation);
  evaluations_.push_back(evaluation);
  const bool is_monitored = monitor_.metric.starts_with(evaluation.set + "/");
  console_.evaluated(evaluation, is_monitored && plan::is_best(evaluations_, monitor_));
}

void Tracker::open_generated(std::uint64_t end) {
  generated_.emplace(folder_ / kGeneratedFile, end,
                     [this](const std::string& text) { console_.warn(text); });
}

void Tracker::expect_texts() {
  if (metrics_ && !generated_) open_generated(0);
}

void Tracker::generated(const GeneratedTexts& texts) {
  for (const GeneratedText& text : texts) {
    if (generated_) generated_->append(as_json(text));
    for (const auto& sink : sinks_) sink->generated(text);
    console_.generated(text);
  }
}

void Tracker::predicted(const Predictions& predictions) {
  if (!metrics_) return;
  for (const auto& sink : sinks_) sink->predicted(predictions);
  const auto best = plan::best_value(evaluations_, monitor_);
  try {
    write_predictions(folder_, predictions, best ? best->step : predictions.step);
  } catch (const Error& error) {
    console_.warn(fmt::format("{}; the run goes on without it", error.what()));
  }
}

void Tracker::spread(const Histograms& histograms) {
  for (const auto& sink : sinks_) sink->spread(histograms);
}

void Tracker::add(std::unique_ptr<Sink> sink) { sinks_.push_back(std::move(sink)); }

void Tracker::ended(RunEnd end) {
  for (const auto& sink : sinks_) sink->ended(end);
  has_ended_ = true;
}

Positions Tracker::positions() const {
  Positions positions;
  if (metrics_)
    positions = {{kMetricsFile, metrics_->offset()}, {kEvaluationsFile, evaluated_->offset()}};
  if (generated_) positions[kGeneratedFile] = generated_->offset();
  for (const auto& sink : sinks_) sink->add_positions(positions);
  return positions;
}

Report report_in(std::string_view line) { return report_from(Json::parse(line)); }

plan::Evaluation evaluation_in(std::string_view line) { return evaluation_from(Json::parse(line)); }

plan::Evaluations read_evaluations(const std::filesystem::path& path) {
  return read_lines<plan::Evaluation>(path, evaluation_from);
}

std::string to_text(const plan::Evaluations& evaluations) {
  std::string text;
  for (const plan::Evaluation& each : evaluations) text += as_json(each).dump() + "\n";
  return text;
}

plan::Evaluations evaluations_in(const std::string& text) {
  plan::Evaluations evaluations;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    evaluations.push_back(evaluation_from(Json::parse(text.substr(begin, end - begin))));
    begin = end + 1;
  }
  return evaluations;
}

std::vector<Report> read_reports(const std::filesystem::path& path) {
  return read_lines<Report>(path, report_from);
}

std::optional<Report> last_report(const std::filesystem::path& path) {
  const std::string text = text_of(path);
  const std::size_t end = text.rfind('\n');
  if (end == text.npos) return std::nullopt;
  // Long runs have journals of many megabytes, so only the last line is parsed.
  const std::size_t before = end == 0 ? text.npos : text.rfind('\n', end - 1);
  return read_line(path, text, before == text.npos ? 0 : before + 1, end, report_from);
}

plan::Evaluations as_evaluations(const std::vector<Report>& reports) {
  plan::Evaluations evaluations;
  for (const Report& report : reports)
    evaluations.push_back({report.step, "train", {{"loss", report.loss}}, 0});
  return evaluations;
}

}  // namespace knead::track
