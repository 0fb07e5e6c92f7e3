#include "runner/report/key_axis.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace knead::report {

namespace {

constexpr std::size_t kMostAlternatives = 6;

}  // namespace

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_all = failure == std::errc() && end == text.data() + text.size();
  return is_all && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

KeyAxis::KeyAxis(std::string key, const std::vector<std::string>& values) : key_(std::move(key)) {
  const std::set<std::string> distinct(values.begin(), values.end());
  choices_.assign(distinct.begin(), distinct.end());
  std::vector<double> numbers;
  for (const std::string& value : choices_)
    if (const auto number = number_in(value)) numbers.push_back(*number);
  if (numbers.size() != choices_.size() || numbers.empty()) return;
  std::sort(choices_.begin(), choices_.end(),
            [](const auto& a, const auto& b) { return *number_in(a) < *number_in(b); });
  // Few values are alternatives, also if they are numbers: at equal distances they are told apart.
  is_number_ = numbers.size() > kMostAlternatives;
  if (!is_number_) return;
  const auto [least, largest] = std::minmax_element(numbers.begin(), numbers.end());
  scale_ = scale_over(*least, *largest, /*is_log=*/*least > 0 && *largest / *least >= 30);
}

double KeyAxis::place(const std::string& value) const {
  if (is_number_) return scale_.place(number_in(value).value_or(scale_.low));
  const auto found = std::find(choices_.begin(), choices_.end(), value);
  const auto index = static_cast<double>(found - choices_.begin());
  return (index + 0.5) / static_cast<double>(std::max<std::size_t>(choices_.size(), 1));
}

std::vector<std::pair<double, std::string>> KeyAxis::marks(std::size_t most) const {
  std::vector<std::pair<double, std::string>> marks;
  if (is_number_) {
    for (const Tick& tick : ticks(scale_, most))
      marks.emplace_back(scale_.place(tick.value), tick.text);
    return marks;
  }
  const std::size_t stride = (choices_.size() + most - 1) / most;
  for (std::size_t i = 0; i < choices_.size(); i += std::max<std::size_t>(stride, 1))
    marks.emplace_back(place(choices_[i]), choices_[i]);
  return marks;
}

}  // namespace knead::report
