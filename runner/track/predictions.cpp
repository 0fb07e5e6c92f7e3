#include "runner/track/predictions.h"

#include <charconv>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/files/file.h"
#include "runner/files/folders.h"
#include "runner/files/posix_files.h"
#include "runner/track/journal.h"
#include "schema/document/json_text.h"

namespace knead::track {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kBegin = "step-", kEnd = ".json";

fs::path file_of(const fs::path& run_folder, std::uint64_t step) {
  return run_folder / kPredictionsFolder / fmt::format("{}{:08}{}", kBegin, step, kEnd);
}

Json as_json(const std::vector<Prediction>& predictions) {
  Json all = Json::array();
  for (const Prediction& each : predictions)
    all.push_back({{"sample", each.sample},
                   {"loss", number_as_json(each.loss)},
                   {"target", each.target},
                   {"predicted", each.predicted},
                   {"confidence", number_as_json(each.confidence)},
                   {"text", each.text},
                   {"picture", each.picture}});
  return all;
}

std::vector<Prediction> predictions_from(const Json& all) {
  std::vector<Prediction> predictions;
  for (const Json& each : all)
    predictions.push_back({.sample = each.at("sample").get<std::uint64_t>(),
                           .loss = number_from_json(each.at("loss")),
                           .target = each.at("target").get<std::string>(),
                           .predicted = each.at("predicted").get<std::string>(),
                           .confidence = number_from_json(each.at("confidence")),
                           .text = each.at("text").get<std::string>(),
                           .picture = each.at("picture").get<std::string>()});
  return predictions;
}

/// Removes the files of the steps for which `is_old` holds.
void remove_where(const fs::path& run_folder, const std::function<bool(std::uint64_t)>& is_old) {
  const fs::path folder = run_folder / kPredictionsFolder;
  std::error_code absent;
  if (!fs::is_directory(folder, absent)) return;
  files::PosixFiles disk;
  for (const files::Entry& entry : files::list_sorted(disk, folder)) {
    const std::int64_t step = step_of_predictions(entry.name);
    if (step >= 0 && is_old(static_cast<std::uint64_t>(step)))
      files::remove_if_there(disk, folder / entry.name);
  }
}

}  // namespace

std::string to_text(const Predictions& predictions) {
  Json pairs = Json::array(), bins = Json::array(), points = Json::array();
  for (const ClassPair& each : predictions.pairs)
    pairs.push_back({each.target, each.predicted, each.count});
  for (const ConfidenceBin& each : predictions.bins)
    bins.push_back({each.count, each.right, each.confidence});
  for (const auto& [is, predicted] : predictions.points)
    points.push_back({number_as_json(is), number_as_json(predicted)});
  const Json all{{"step", predictions.step},
                 {"set", predictions.set},
                 {"samples", predictions.samples},
                 {"classes", predictions.classes},
                 {"names", predictions.names},
                 {"pairs", std::move(pairs)},
                 {"has_all_pairs", predictions.has_all_pairs},
                 {"bins", std::move(bins)},
                 {"points", std::move(points)},
                 {"worst", as_json(predictions.worst)},
                 {"best", as_json(predictions.best)}};
  return schema::readable_json_text(all) + "\n";
}

Predictions predictions_in(std::string_view text) {
  const Json all = Json::parse(text);
  Predictions out{.step = all.at("step").get<std::uint64_t>(),
                  .set = all.at("set").get<std::string>(),
                  .samples = all.at("samples").get<std::uint64_t>(),
                  .worst = predictions_from(all.at("worst")),
                  .best = predictions_from(all.at("best")),
                  .classes = all.at("classes").get<std::uint64_t>(),
                  .names = all.at("names").get<std::vector<std::string>>(),
                  .pairs = {},
                  .has_all_pairs = all.at("has_all_pairs").get<bool>(),
                  .bins = {},
                  .points = {}};
  for (const Json& each : all.at("pairs"))
    out.pairs.push_back({each.at(0).get<std::uint64_t>(), each.at(1).get<std::uint64_t>(),
                         each.at(2).get<std::uint64_t>()});
  for (const Json& each : all.at("bins"))
    out.bins.push_back({each.at(0).get<std::uint64_t>(), each.at(1).get<std::uint64_t>(),
                        each.at(2).get<double>()});
  for (const Json& each : all.at("points"))
    out.points.emplace_back(number_from_json(each.at(0)), number_from_json(each.at(1)));
  return out;
}

double calibration_error(const std::vector<ConfidenceBin>& bins) {
  double error = 0, all = 0;
  for (const ConfidenceBin& bin : bins) {
    error +=
        std::abs(static_cast<double>(bin.right) - bin.confidence * static_cast<double>(bin.count));
    all += static_cast<double>(bin.count);
  }
  return all > 0 ? error / all : NAN;
}

std::int64_t step_of_predictions(const std::string& file_name) {
  if (!file_name.starts_with(kBegin) || !file_name.ends_with(kEnd) ||
      file_name.size() <= kBegin.size() + kEnd.size())
    return -1;
  const char* const begin = file_name.data() + kBegin.size();
  const char* const end = file_name.data() + file_name.size() - kEnd.size();
  std::int64_t step = -1;
  const auto read = std::from_chars(begin, end, step);
  return read.ec == std::errc() && read.ptr == end && step >= 0 ? step : -1;
}

void write_predictions(const fs::path& run_folder, const Predictions& predictions,
                       std::uint64_t best) {
  files::PosixFiles disk;
  files::make_folders(disk, run_folder / kPredictionsFolder);
  files::publish(disk, file_of(run_folder, predictions.step), to_text(predictions));
  remove_where(run_folder,
               [&](std::uint64_t step) { return step != predictions.step && step != best; });
}

void remove_predictions_after(const fs::path& run_folder, std::uint64_t step) {
  remove_where(run_folder, [&](std::uint64_t each) { return each > step; });
}

}  // namespace knead::track
