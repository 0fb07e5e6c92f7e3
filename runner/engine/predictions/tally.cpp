#include "runner/engine/predictions/tally.h"

#include <algorithm>
#include <cmath>

#include "runner/plan/random.h"

namespace knead::engine {
namespace {

constexpr double kUnit = 0x1p24;  // of confidences, which are numbers of float32

/// Returns a loss for comparisons: NaN is the worst.
double comparable(double loss) {
  return std::isnan(loss) ? std::numeric_limits<double>::infinity() : loss;
}

bool is_worse(const JudgedSample& a, const JudgedSample& b) {
  const double first = comparable(a.loss), second = comparable(b.loss);
  return first != second ? first > second : a.sample < b.sample;
}

bool is_better(const JudgedSample& a, const JudgedSample& b) {
  const double first = comparable(a.loss), second = comparable(b.loss);
  return first != second ? first < second : a.sample < b.sample;
}

/// Inserts an item into a sorted list of at most `most` items.
template <class Item, class Before>
void insert(std::vector<Item>& items, const Item& item, std::size_t most, Before before) {
  if (most == 0 || (items.size() == most && !before(item, items.back()))) return;
  items.insert(std::upper_bound(items.begin(), items.end(), item, before), item);
  if (items.size() > most) items.pop_back();
}

void write(const std::vector<JudgedSample>& samples, std::vector<double>& numbers) {
  numbers.push_back(static_cast<double>(samples.size()));
  for (const JudgedSample& each : samples)
    numbers.insert(numbers.end(), {static_cast<double>(each.sample), each.loss, each.target,
                                   each.predicted, each.confidence});
}

/// Takes numbers from the beginning of a list.
class Reader {
 public:
  explicit Reader(std::span<const double> numbers) : rest_(numbers) {}

  double number() {
    const double taken = rest_.front();
    rest_ = rest_.subspan(1);
    return taken;
  }
  std::uint64_t count() { return static_cast<std::uint64_t>(number()); }

  std::vector<JudgedSample> samples() {
    std::vector<JudgedSample> all(count());
    for (JudgedSample& each : all) {
      each.sample = count();
      each.loss = number();
      each.target = number();
      each.predicted = number();
      each.confidence = number();
    }
    return all;
  }

 private:
  std::span<const double> rest_;
};

}  // namespace

void PredictionTally::keep(const JudgedSample& sample) {
  insert(worst_, sample, kept_, is_worse);
  insert(best_, sample, kept_, is_better);
}

void PredictionTally::keep(const Point& point) {
  insert(points_, point, kMostPoints, [](const Point& a, const Point& b) { return a.key < b.key; });
}

void PredictionTally::add(const JudgedSample& sample, std::uint64_t classes) {
  ++samples_;
  keep(sample);
  if (!sample.has_class()) return;
  classes_ = classes;
  ++pairs_[{static_cast<std::uint64_t>(sample.target),
            static_cast<std::uint64_t>(sample.predicted)}];
  add_item(static_cast<float>(sample.confidence), sample.target == sample.predicted);
}

void PredictionTally::add_item(float confidence, bool is_right) {
  const double share = std::isfinite(confidence) ? std::clamp<double>(confidence, 0, 1) : 0;
  Bin& bin = bins_[std::min(static_cast<std::size_t>(share * kBins), kBins - 1)];
  ++bin.count;
  bin.right += is_right;
  bin.confidence += static_cast<std::uint64_t>(std::llround(share * kUnit));
}

void PredictionTally::add_point(std::uint64_t number, double is, double predicted) {
  const auto words = plan::philox(
      {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), 0, 0}, {0, 0});
  // Keys are read as numbers again, which have 53 bits.
  const std::uint64_t key = (std::uint64_t{words[0]} << 21) | (words[1] >> 11);
  keep(Point{key, is, predicted});
}

void PredictionTally::merge(const PredictionTally& other) {
  samples_ += other.samples_;
  classes_ = std::max(classes_, other.classes_);
  for (const JudgedSample& each : other.worst_) insert(worst_, each, kept_, is_worse);
  for (const JudgedSample& each : other.best_) insert(best_, each, kept_, is_better);
  for (const auto& [pair, count] : other.pairs_) pairs_[pair] += count;
  for (std::size_t i = 0; i < kBins; ++i) {
    bins_[i].count += other.bins_[i].count;
    bins_[i].right += other.bins_[i].right;
    bins_[i].confidence += other.bins_[i].confidence;
  }
  for (const Point& each : other.points_) keep(each);
}

std::vector<double> PredictionTally::numbers() const {
  std::vector<double> out{static_cast<double>(samples_), static_cast<double>(classes_)};
  write(worst_, out);
  write(best_, out);
  out.push_back(static_cast<double>(pairs_.size()));
  for (const auto& [pair, count] : pairs_)
    out.insert(out.end(), {static_cast<double>(pair.first), static_cast<double>(pair.second),
                           static_cast<double>(count)});
  for (const Bin& bin : bins_)
    out.insert(out.end(), {static_cast<double>(bin.count), static_cast<double>(bin.right),
                           static_cast<double>(bin.confidence)});
  out.push_back(static_cast<double>(points_.size()));
  for (const Point& each : points_)
    out.insert(out.end(), {static_cast<double>(each.key), each.is, each.predicted});
  return out;
}

PredictionTally PredictionTally::from(std::size_t kept, std::span<const double> numbers) {
  PredictionTally out(kept);
  Reader reader(numbers);
  out.samples_ = reader.count();
  out.classes_ = reader.count();
  out.worst_ = reader.samples();
  out.best_ = reader.samples();
  for (std::uint64_t left = reader.count(); left > 0; --left) {
    const std::uint64_t target = reader.count();
    const std::uint64_t predicted = reader.count();
    out.pairs_[{target, predicted}] = reader.count();
  }
  for (Bin& bin : out.bins_) bin = {reader.count(), reader.count(), reader.count()};
  out.points_.resize(reader.count());
  for (Point& each : out.points_) each = {reader.count(), reader.number(), reader.number()};
  return out;
}

}  // namespace knead::engine
