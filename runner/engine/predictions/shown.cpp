#include "runner/engine/predictions/shown.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include "runner/data/sets/image_classes.h"
#include "runner/engine/batch/feed.h"
#include "runner/engine/losses/loss.h"
#include "runner/engine/predictions/picture.h"

namespace knead::engine {
namespace {

constexpr std::size_t kMostNumbers = 16;   // of a field, as text
constexpr std::size_t kMostBytes = 4'000;  // of a text
constexpr std::size_t kMostMistakes = 60;  // pairs of classes, if there are too many for a table

/// Returns the values of a field for some samples, (samples, numbers of a sample), as float64.
at::Tensor read_field(const ShownSet& shown, std::size_t field,
                      const std::vector<std::uint64_t>& samples) {
  const data::Field& about = shown.set.fields()[field];
  std::vector<std::uint64_t> rows;
  shown.set.find_rows(samples, rows);
  const auto count = static_cast<std::int64_t>(samples.size());
  const std::size_t bytes = about.bytes_per_sample();
  const auto numbers = static_cast<std::int64_t>(bytes / data::bytes_of(about.dtype));
  at::Tensor values = at::empty({count, numbers}, scalar_type_of(about.dtype));
  auto* const memory = static_cast<std::byte*>(values.mutable_data_ptr());
  // One by one: each has the place in the epoch that it had in the evaluation.
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const data::Request request{std::span(rows).subspan(i, 1), 0, samples[i], {}};
    shown.set.source().read(field, request, memory + i * bytes);
  }
  return values.to(at::kDouble);
}

std::string number_words(double value) {
  return std::floor(value) == value && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:.4g}", value);
}

/// Returns the first numbers of a field: "leaf: 1.4, 0.2".
std::string values_text(const data::Field& field, std::span<const double> values) {
  std::string out = field.name + ": ";
  const std::size_t shown = std::min(values.size(), kMostNumbers);
  for (std::size_t i = 0; i < shown; ++i) out += (i ? ", " : "") + number_words(values[i]);
  if (shown < values.size()) out += fmt::format(", … ({} numbers)", values.size());
  return out;
}

/// Shows the samples of a set: reads the field that shows them best.
class SampleViews {
 public:
  SampleViews(const ShownSet& shown, const std::vector<std::uint64_t>& samples)
      : shown_(shown), samples_(samples) {
    for (const std::size_t field : shown.inputs) {
      const data::Field& about = shown.set.fields()[field];
      const bool is_text = shown.tokenizer && about.name == "tokens";
      if (is_text || picture_in(about)) {
        field_ = field;
        break;
      }
    }
    if (shown.inputs.empty() || samples.empty()) return;
    if (!field_) field_ = shown.inputs[0];
    values_ = read_field(shown, *field_, samples);
  }

  /// Fills in the picture or the text of a sample.
  void show(std::uint64_t sample, track::Prediction& prediction) const {
    if (!field_ || !values_.defined()) return;
    const auto found = std::find(samples_.begin(), samples_.end(), sample);
    const auto numbers = static_cast<std::size_t>(values_.size(1));
    const std::span<const double> values(
        values_.const_data_ptr<double>() +
            static_cast<std::size_t>(found - samples_.begin()) * numbers,
        numbers);
    const data::Field& field = shown_.set.fields()[*field_];
    if (shown_.tokenizer && field.name == "tokens") {
      prediction.text = decoded(values);
    } else if (const auto picture = picture_in(field)) {
      prediction.picture = png_in_base64(*picture, values, field.dtype == data::Dtype::uint8);
    } else {
      prediction.text = values_text(field, values);
    }
  }

 private:
  std::string decoded(std::span<const double> values) const {
    std::vector<std::uint32_t> tokens;
    for (const double each : values) {
      // A set of tokens may hold some that the tokenizer does not have.
      if (each >= 0 && each < static_cast<double>(shown_.tokenizer->vocabulary()))
        tokens.push_back(static_cast<std::uint32_t>(each));
    }
    return shown_.tokenizer->decode(tokens).substr(0, kMostBytes);
  }

  const ShownSet& shown_;
  const std::vector<std::uint64_t>& samples_;
  std::optional<std::size_t> field_;  // of the set
  at::Tensor values_;                 // (samples, numbers of a sample), float64
};

std::string words_of(double value, bool is_class, const std::vector<std::string>& names) {
  if (std::isnan(value)) return "";
  if (!is_class) return fmt::format("{:.6g}", value);
  const auto place = static_cast<std::size_t>(value);
  return place < names.size() ? names[place] : fmt::format("{}", place);
}

std::vector<track::Prediction> predictions_of(const std::vector<JudgedSample>& judged,
                                              const std::vector<std::string>& names,
                                              const SampleViews& samples) {
  std::vector<track::Prediction> out;
  for (const JudgedSample& each : judged) {
    track::Prediction prediction{.sample = each.sample, .loss = each.loss};
    prediction.target = words_of(each.target, each.has_class(), names);
    prediction.predicted = words_of(each.predicted, each.has_class(), names);
    prediction.confidence = each.confidence;
    samples.show(each.sample, prediction);
    out.push_back(std::move(prediction));
  }
  return out;
}

/// Fills in which classes were confused.
void add_classes(const PredictionTally& tally, track::Predictions& out) {
  out.classes = tally.classes();
  if (out.classes == 0) return;
  out.has_all_pairs = out.classes <= track::kMostClassesInPairs;
  for (const auto& [pair, count] : tally.pairs()) {
    if (out.has_all_pairs || pair.first != pair.second)
      out.pairs.push_back({pair.first, pair.second, count});
  }
  if (!out.has_all_pairs) {
    std::stable_sort(out.pairs.begin(), out.pairs.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    if (out.pairs.size() > kMostMistakes) out.pairs.resize(kMostMistakes);
  }
}

/// Fills in how confidence and truth agree; nothing without predictions of classes.
void add_calibration(const PredictionTally& tally, track::Predictions& out) {
  const auto is_used = [](const PredictionTally::Bin& bin) { return bin.count > 0; };
  if (std::none_of(tally.bins().begin(), tally.bins().end(), is_used)) return;
  for (const PredictionTally::Bin& bin : tally.bins()) {
    const double sum = static_cast<double>(bin.confidence) * 0x1p-24;
    out.bins.push_back(
        {bin.count, bin.right, bin.count > 0 ? sum / static_cast<double>(bin.count) : 0});
  }
}

/// Returns the categories of the field `target`, if the set has fields with categories.
std::vector<std::string> categories_of(const auto& set, const std::string& target) {
  if constexpr (requires { set.fields; }) {
    for (const auto& [name, field] : set.fields) {
      if constexpr (requires { field.categories; }) {
        if (name == target && field.categories) return *field.categories;
      }
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> class_names(const recipe::Recipe& recipe) {
  const std::string target = losses::target_of(recipe.loss);
  const recipe::Data data = data::with_image_classes(recipe.data);
  return std::visit(
      [&](const auto& set) {
        if constexpr (requires { set.classes; }) {
          if (target == "label" && set.classes) return *set.classes;
        }
        return categories_of(set, target);
      },
      data.train);
}

track::Predictions shown(const PredictionTally& tally, std::uint64_t step, const ShownSet& set) {
  track::Predictions out{.step = step, .set = set.name, .samples = tally.samples()};
  out.names = class_names(set.recipe);
  if (out.names.size() != tally.classes()) out.names.clear();
  std::vector<std::uint64_t> all;
  for (const auto* list : {&tally.worst(), &tally.best()})
    for (const JudgedSample& each : *list) all.push_back(each.sample);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const SampleViews samples(set, all);
  out.worst = predictions_of(tally.worst(), out.names, samples);
  out.best = predictions_of(tally.best(), out.names, samples);
  add_classes(tally, out);
  add_calibration(tally, out);
  for (const PredictionTally::Point& each : tally.points())
    out.points.emplace_back(each.is, each.predicted);
  return out;
}

}  // namespace knead::engine
