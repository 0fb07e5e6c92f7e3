#include "runner/sweep/rungs.h"

#include <cmath>
#include <variant>

#include "runner/sweep/search/prune.h"

namespace knead::sweep {
namespace {

PruneRule rule_of(const recipe::Asha& asha) {
  const auto reduction = static_cast<int>(asha.reduction);
  return {
      .goes_on = [reduction](std::span<const double> earlier,
                             double loss) { return asha_continues(earlier, loss, reduction); },
      .promotes =
          [reduction](std::span<const double> losses) { return asha_promoted(losses, reduction); }};
}

PruneRule rule_of(const recipe::MedianRule& median) {
  const auto startup = static_cast<int>(median.startup);
  return {.goes_on = [startup](std::span<const double> earlier,
                               double loss) { return median_continues(earlier, loss, startup); },
          .promotes = nullptr,
          .judges_best = true};
}

schema::Quantity length_at(const recipe::Asha& asha, std::size_t rung) {
  const double times = std::pow(static_cast<double>(asha.reduction), static_cast<double>(rung));
  return {asha.first.value * times, asha.first.unit};
}

schema::Quantity length_at(const recipe::MedianRule& median, std::size_t rung) {
  // first and every may have different units, and a length has one.
  if (rung == 0) return median.first;
  return {median.every.value * static_cast<double>(rung + 1), median.every.unit};
}

}  // namespace

schema::Quantity rung_length(const recipe::Sweep& sweep, std::size_t rung) {
  return std::visit([&](const auto& kind) { return length_at(kind, rung); }, *sweep.prune);
}

std::optional<PruneRule> prune_rule(const recipe::Sweep& sweep) {
  if (!sweep.prune) return std::nullopt;
  return std::visit([](const auto& kind) { return rule_of(kind); }, *sweep.prune);
}

}  // namespace knead::sweep
