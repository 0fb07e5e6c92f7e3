#include "runner/report/predictions.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/files/file.h"
#include "runner/files/folders.h"
#include "runner/report/figure.h"
#include "runner/report/html.h"
#include "runner/report/readable_text.h"
#include "runner/track/short_text.h"

namespace knead::report {
namespace {

constexpr std::size_t kMostFiles = 2;    // knead keeps the last one and the best one
constexpr std::size_t kMostShown = 100;  // of the worst predictions, and of the best
constexpr std::size_t kMostPictureBytes = 300'000;
constexpr std::size_t kMostMistakes = 100;
constexpr std::size_t kMostBins = 50;
constexpr std::size_t kMostPoints = 2'000;
constexpr std::size_t kLongestWords = 4'000;
constexpr std::size_t kLongestName = 200;
constexpr int kShades = 9;

/// Cuts what knead does not write that long.
track::Predictions bounded(track::Predictions all) {
  for (auto* list : {&all.worst, &all.best}) {
    if (list->size() > kMostShown) list->resize(kMostShown);
    for (track::Prediction& each : *list)
      for (std::string* text : {&each.target, &each.predicted, &each.text})
        if (text->size() > kLongestWords) text->resize(kLongestWords);
  }
  if (all.names.size() > track::kMostClassesInPairs && all.has_all_pairs) all.names.clear();
  for (std::string& name : all.names)
    if (name.size() > kLongestName) name.resize(kLongestName);
  return all;
}

/// Returns whether a text is base64 and begins as a PNG file does: it goes into a page as it is.
bool is_picture(const std::string& text) {
  return text.starts_with("iVBORw0KGgo") && text.size() <= kMostPictureBytes &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '+' || c == '/' || c == '=';
         });
}

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "";
}

std::string class_name(const track::Predictions& all, std::uint64_t number) {
  return readable_text(number < all.names.size() ? all.names[number] : std::to_string(number));
}

/// Returns what a prediction says: "true 8, predicted 3 (97.1 %)".
std::string words_of(const track::Prediction& each) {
  if (each.target.empty() && each.predicted.empty()) return "";
  std::string words = fmt::format("true {}, predicted {}", readable_text(each.target),
                                  readable_text(each.predicted));
  if (std::isfinite(each.confidence)) words += fmt::format(" ({})", percent(each.confidence));
  return words;
}

std::string html(const track::Prediction& each) {
  const std::string words = words_of(each);
  const std::string place = fmt::format("sample {}", each.sample);
  std::string out = "<figure class=\"card sample\">";
  if (is_picture(each.picture))
    out += fmt::format("<img alt=\"{}\" src=\"data:image/png;base64,{}\">",
                       escaped(words.empty() ? place : place + ": " + words), each.picture);
  if (!each.text.empty()) out += fmt::format("<pre>{}</pre>", escaped(readable_text(each.text)));
  const bool is_right = each.target == each.predicted;
  return out + fmt::format("<figcaption>{}<small>loss {}, {}</small></figcaption></figure>",
                           words.empty()
                               ? ""
                               : fmt::format("<span class=\"{}\">{}</span>",
                                             is_right || !std::isfinite(each.confidence) ? "right"
                                                                                         : "wrong",
                                             escaped(words)),
                           track::short_number(each.loss), place);
}

std::string gallery(const std::string& title, const std::vector<track::Prediction>& predictions) {
  if (predictions.empty()) return "";
  std::string out = fmt::format("<h4>{}</h4><div class=\"samples\">", title);
  for (std::size_t i = 0; i < std::min(predictions.size(), kMostShown); ++i)
    out += html(predictions[i]);
  return out + "</div>";
}

/// Returns the table of how often each class was taken for each.
std::string matrix_html(const track::Predictions& all) {
  const auto size = static_cast<std::size_t>(all.classes);
  std::vector<std::uint64_t> counts(size * size);
  std::uint64_t most = 1;
  for (const track::ClassPair& pair : all.pairs) {
    if (pair.target >= size || pair.predicted >= size) continue;
    counts[pair.target * size + pair.predicted] = pair.count;
    most = std::max(most, pair.count);
  }
  std::string out =
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Confusion matrix\"><table "
      "class=\"matrix\"><caption>How often a class (row) was predicted as another "
      "(column)</caption><thead><tr><th scope=\"col\">true \\ predicted</th>";
  for (std::size_t c = 0; c < size; ++c)
    out += fmt::format("<th scope=\"col\">{}</th>", escaped(class_name(all, c)));
  out += "</tr></thead><tbody>\n";
  for (std::size_t r = 0; r < size; ++r) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(class_name(all, r)));
    for (std::size_t c = 0; c < size; ++c) {
      const std::uint64_t count = counts[r * size + c];
      // Small counts, which are the mistakes, are told apart: the root of the share.
      const double share = std::sqrt(static_cast<double>(count) / static_cast<double>(most));
      out += fmt::format("<td class=\"h{}{}\">{}</td>",
                         count == 0 ? 0 : 1 + static_cast<int>(share * (kShades - 1)),
                         r == c ? " right" : "", count);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

/// Returns a table of the most frequent mistakes.
std::string mistakes_html(const track::Predictions& all) {
  Table table{.caption = "The classes that are confused most",
              .columns = {{"true"}, {"predicted"}, {"samples", true}},
              .rows = {}};
  const std::vector<track::ClassPair> pairs = mistakes_of(all);
  for (std::size_t i = 0; i < std::min(pairs.size(), kMostMistakes); ++i)
    table.rows.push_back({{escaped(class_name(all, pairs[i].target))},
                          {escaped(class_name(all, pairs[i].predicted))},
                          {track::grouped(pairs[i].count)}});
  return table.rows.empty() ? "<p>No sample was taken for another class.</p>" : html(table);
}

/// Returns the line on which both axes have the same number.
std::string diagonal(const Scale& x, const Scale& y) {
  return fmt::format("<path class=\"event\" d=\"M{} {}L{} {}\"/>", place_text(x.place(x.low)),
                     place_text(y.place(y.low)), place_text(x.place(x.high)),
                     place_text(y.place(y.high)));
}

/// Returns scales along a frame for both axes.
std::pair<Scale, Scale> along(const Frame& frame, Scale scale) {
  Scale x = scale, y = scale;
  x.from = frame.left;
  x.to = frame.width - frame.right;
  y.from = frame.bottom();
  y.to = frame.top;
  return {x, y};
}

constexpr Frame kSquare{.width = 420, .height = 330};

std::string calibration_html(const std::vector<track::ConfidenceBin>& bins) {
  const auto [x, y] = along(kSquare, {.low = 0, .high = 1});
  std::string svg = y_axis(kSquare, y, 6) + "<g class=\"calibration\">";
  Table table{
      .caption = "Calibration by parts of confidence",
      .columns = {{"confidence"}, {"samples", true}, {"mean confidence", true}, {"right", true}},
      .rows = {}};
  const double width = 1.0 / static_cast<double>(bins.size());
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const track::ConfidenceBin& bin = bins[i];
    if (bin.count == 0) continue;
    const double right = static_cast<double>(bin.right) / static_cast<double>(bin.count);
    const double begin = width * static_cast<double>(i);
    const double left = x.place(begin) + 1, top = y.place(std::min(right, 1.0));
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", place_text(left),
                       place_text(top), place_text(x.place(begin + width) - left - 1),
                       place_text(y.place(0) - top));
    table.rows.push_back({{fmt::format("{:.2f} – {:.2f}", begin, begin + width)},
                          {track::grouped(bin.count)},
                          {percent(bin.confidence)},
                          {percent(right)}});
  }
  svg += "</g>" + diagonal(x, y) + x_axis(kSquare, x, "confidence");
  const double error = track::calibration_error(bins);
  return figure(kSquare,
                fmt::format("Calibration: share of right predictions by confidence; expected "
                            "calibration error {:.4f}",
                            error),
                svg) +
         "<details><summary>Calibration as a table</summary>" + html(table) + "</details>";
}

std::string points_html(const std::vector<std::pair<double, double>>& points) {
  double least = INFINITY, largest = -INFINITY, error = 0;
  std::vector<std::pair<double, double>> finite;
  for (const auto& [is, predicted] : points) {
    if (!std::isfinite(is) || !std::isfinite(predicted) || finite.size() == kMostPoints) continue;
    finite.emplace_back(is, predicted);
    least = std::min({least, is, predicted});
    largest = std::max({largest, is, predicted});
    error += std::abs(is - predicted);
  }
  if (finite.empty()) return "";
  const auto [x, y] = along(kSquare, scale_over(least, largest));
  std::string svg = y_axis(kSquare, y, 6) + diagonal(x, y) + "<g class=\"s0\">";
  for (const auto& [is, predicted] : finite)
    svg += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3\"/>", place_text(x.place(is)),
                       place_text(y.place(predicted)));
  svg += "</g>" + x_axis(kSquare, x, "true");
  return figure(
      kSquare,
      fmt::format("Predicted (upwards) against true: {} numbers, mean distance {:.4g}",
                  track::grouped(finite.size()), error / static_cast<double>(finite.size())),
      svg);
}

std::string classes_html(const track::Predictions& all) {
  if (all.classes == 0) return "";
  const bool is_small = all.has_all_pairs && all.classes <= track::kMostClassesInPairs;
  return "<div class=\"card\">" + (is_small ? matrix_html(all) : mistakes_html(all)) + "</div>";
}

/// Returns what one evaluation found.
std::string html(const track::Predictions& all) {
  std::string out = fmt::format(
      "<p class=\"note\">{} samples of the {} set; the worst and the best are those of the largest "
      "and least loss.</p><div class=\"found\">",
      track::grouped(all.samples), escaped(readable_text(all.set)));
  out += classes_html(all);
  if (!all.bins.empty() && all.bins.size() <= kMostBins)
    out += "<div>" + calibration_html(all.bins) + "</div>";
  out += points_html(all.points) + "</div>";
  return out + gallery("Worst predictions", all.worst) + gallery("Best predictions", all.best);
}

}  // namespace

std::vector<track::ClassPair> mistakes_of(const track::Predictions& all) {
  std::vector<track::ClassPair> pairs;
  for (const track::ClassPair& pair : all.pairs)
    if (pair.target != pair.predicted) pairs.push_back(pair);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  return pairs;
}

PredictionFiles::PredictionFiles(ContainedFiles& files, const std::filesystem::path& run_folder)
    : files_(files), folder_(run_folder / track::kPredictionsFolder) {}

bool PredictionFiles::read_on() {
  std::set<std::int64_t> found;
  if (files_.has(folder_)) {
    for (const files::Entry& entry : files_.list(folder_))
      if (const auto step = track::step_of_predictions(entry.name); step >= 0) found.insert(step);
  }
  while (found.size() > kMostFiles) found.erase(found.begin());
  const auto is_gone = [&](const auto& each) { return !found.contains(each.first); };
  const auto gone = std::erase_if(by_step_, is_gone) + std::erase_if(notes_, is_gone);
  bool has_more = gone > 0;
  for (const std::int64_t step : found) {
    // A file appears whole and does not change.
    if (by_step_.contains(step) || notes_.contains(step)) continue;
    const auto path = folder_ / fmt::format("step-{:08}.json", step);
    has_more = true;
    try {
      by_step_[step] = bounded(
          track::predictions_in(files::read_small(files_, path, ContainedFiles::kMostBytes)));
    } catch (const nlohmann::json::exception&) {
      notes_[step] = path.filename().string() + " has not the form that knead gives it";
    } catch (const files::FileError& error) {
      notes_[step] = readable_text(error.what());
    }
  }
  return has_more;
}

void add_predictions(const PredictionFiles& files, std::int64_t best,
                     std::vector<Section>& sections) {
  const auto& all = files.by_step();
  if (all.empty()) return;
  std::string body;
  const std::int64_t last = all.rbegin()->first;
  const std::int64_t shown = all.contains(best) ? best : last;
  for (auto each = all.rbegin(); each != all.rend(); ++each) {
    std::string words =
        fmt::format("Step {}", track::grouped(static_cast<std::uint64_t>(each->first)));
    if (each->first == best) words += ", the best";
    if (each->first == last) words += ", the last";
    body += fmt::format("<details{}><summary><h3>{}</h3></summary>{}</details>",
                        each->first == shown ? " open" : "", words, html(each->second));
  }
  sections.push_back({"predictions", "Predictions", body});
}

}  // namespace knead::report
