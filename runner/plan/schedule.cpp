#include "runner/plan/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "schema/error.h"

namespace knead::plan {
namespace {

double steps_of(const schema::Quantity& length, const schema::Epoch& epoch, double total,
                const char* key) {
  if (const auto steps = schema::in_steps(length, epoch, total)) return *steps;
  throw Error(fmt::format("{} {} cannot be told in steps", key, schema::to_string(length)),
              "write it in steps, epochs or samples", Exit::invalid_recipe);
}

double warmup_steps(const std::optional<schema::Quantity>& warmup, const schema::Epoch& epoch,
                    double over) {
  if (!warmup) return 0;
  const double steps = steps_of(*warmup, epoch, over, "schedule.warmup");
  if (steps < over) return steps;
  throw Error(fmt::format("the warm-up of {:.0f} steps is not shorter than the {:.0f} it leads to",
                          steps, over),
              "the learning rate would never be reached", Exit::invalid_recipe);
}

}  // namespace

Schedule::Schedule(const recipe::Schedule& schedule, const schema::Epoch& epoch, double total)
    : over_(total) {
  if (const auto* constant = std::get_if<recipe::ConstantSchedule>(&schedule)) {
    warmup_ = warmup_steps(constant->warmup, epoch, over_);
    return;
  }
  const auto& cosine = std::get<recipe::CosineSchedule>(schedule);
  shape_ = Shape::cosine;
  over_ = steps_of(cosine.over.value(), epoch, total, "schedule.over");
  warmup_ = warmup_steps(cosine.warmup, epoch, over_);
  last_ = cosine.min_factor;
}

double Schedule::factor(std::uint64_t step) const {
  const double s = static_cast<double>(step);
  if (s < warmup_) return (s + 1) / warmup_;
  if (shape_ == Shape::constant) return 1;
  const double progress = std::min(1.0, (s - warmup_) / (over_ - warmup_));
  return last_ + (1 - last_) * (1 + std::cos(std::numbers::pi * progress)) / 2;
}

}  // namespace knead::plan
