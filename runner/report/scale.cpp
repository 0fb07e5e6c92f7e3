#include "runner/report/scale.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace knead::report {
namespace {

/// Returns the smallest of 1, 2, 5, 10 … times a power of ten that is not below `size`.
double nice_step(double size) {
  const double power = std::pow(10, std::floor(std::log10(size)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= size * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == text.npos) return text;
  text.resize(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Returns a multiple of `step` with as many decimals as all multiples need.
std::string tick_text(double value, double step) {
  if (value == 0) return "0";
  const double size = std::fabs(value);
  if (size >= 1e15 || step < 1e-5) return fmt::format("{:.5g}", value);
  for (const auto& [unit, suffix] : {std::pair(1e9, "G"), std::pair(1e6, "M"), std::pair(1e3, "k")})
    if (size >= unit && (unit > 1e3 || size >= 1e4))
      return without_trailing_zeros(fmt::format("{:.4f}", value / unit)) + suffix;
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, decimals);
}

std::vector<Tick> linear_ticks(const Scale& scale, std::size_t most) {
  const double length = scale.high - scale.low;
  double step = nice_step(length / static_cast<double>(most));
  std::vector<Tick> found;
  for (double first = std::ceil(scale.low / step - 1e-9);;
       first = std::ceil(scale.low / step - 1e-9)) {
    found.clear();
    for (double i = first; i * step <= scale.high + step * 1e-9 && found.size() <= most; ++i)
      found.push_back({i * step, tick_text(i * step, step)});
    if (found.size() <= most) return found;
    step = nice_step(step * 1.5);
  }
}

std::vector<Tick> log_ticks(const Scale& scale, std::size_t most) {
  const auto first = static_cast<int>(std::floor(std::log10(scale.low)));
  const auto last = static_cast<int>(std::ceil(std::log10(scale.high)));
  const auto within = [&](std::vector<double> factors, int stride) {
    std::vector<Tick> found;
    for (int power = first; power <= last; ++power) {
      if (power % stride != 0) continue;
      for (const double factor : factors) {
        const double value = factor * std::pow(10, power);
        if (value < scale.low * (1 - 1e-9) || value > scale.high * (1 + 1e-9)) continue;
        const bool is_plain = value >= 1e-3 && value < 1e4;
        found.push_back({value, is_plain ? tick_text(value, value) : fmt::format("{:.0e}", value)});
      }
    }
    return found;
  };
  for (const std::vector<double>& factors : {std::vector<double>{1, 2, 5}, {1, 3}, {1}}) {
    auto found = within(factors, 1);
    if (found.size() <= most && found.size() >= 2) return found;
  }
  const int powers = last - first + 1;
  auto found = within({1}, std::max(1, powers / static_cast<int>(most) + 1));
  // Less than a power of ten, without a round number in it.
  return found.size() >= 2 ? found : linear_ticks(scale, most);
}

}  // namespace

double Scale::place(double value) const {
  double share = 0;
  if (!is_log) {
    share = (value - low) / (high - low);
  } else if (value > 0) {
    share = std::log(value / low) / std::log(high / low);
  }
  return from + (to - from) * share;
}

Scale scale_over(double least, double largest, bool is_log) {
  if (!std::isfinite(least) || !std::isfinite(largest)) return {};
  if (is_log && least > 0) {
    const double room = std::max(std::pow(largest / least, 0.04), 1.05);
    return {.low = least / room, .high = largest * room, .is_log = true};
  }
  // In halves, because the length of all doubles is no double.
  const double half = largest / 2 - least / 2;
  const double room = half > 0 ? half * 0.08 : std::max(std::fabs(least) * 0.05, 1e-9);
  Scale scale{.low = least - room, .high = largest + room};
  // Most numbers are not negative: an axis that begins below 0 would suggest otherwise.
  if (least >= 0 && scale.low < 0) scale.low = 0;
  return std::isfinite(scale.high - scale.low) ? scale : Scale{};
}

std::vector<Tick> ticks(const Scale& scale, std::size_t most) {
  return scale.is_log ? log_ticks(scale, most) : linear_ticks(scale, most);
}

std::string place_text(double place) {
  return without_trailing_zeros(fmt::format("{:.1f}", place));
}

}  // namespace knead::report
