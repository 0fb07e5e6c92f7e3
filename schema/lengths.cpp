#include "schema/lengths.h"

#include <cmath>

namespace knead::schema {

double Epoch::steps() const {
  return drop_last ? std::floor(samples / batch) : std::ceil(samples / batch);
}

std::optional<double> in_steps(const Quantity& length, const std::optional<Epoch>& epoch,
                               std::optional<double> run) {
  switch (length.unit) {
    case Unit::steps: return length.value;
    case Unit::epochs:
      if (epoch) return std::ceil(length.value * epoch->steps());
      return std::nullopt;
    case Unit::samples:
      if (epoch) return std::ceil(length.value / epoch->samples * epoch->steps());
      return std::nullopt;
    case Unit::percent:
      if (run) return std::ceil(length.value / 100 * *run);
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace knead::schema
