#include "runner/plan/unit_forecast.h"

namespace knead::plan {

void UnitForecast::open(std::size_t unit) {
  followers_[last_] = unit;
  last_ = {last_[1], unit};
}

void UnitForecast::end() {
  followers_[last_] = kNone;
  last_ = {kNone, kNone};
}

std::optional<std::size_t> UnitForecast::next() const {
  const auto found = followers_.find(last_);
  if (found == followers_.end() || found->second == kNone) return std::nullopt;
  return found->second;
}

}  // namespace knead::plan
