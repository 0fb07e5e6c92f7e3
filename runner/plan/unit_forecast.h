#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>

namespace knead::plan {

/// Foretells which unit of a model is opened next: the one that followed the last time that the
/// same two units were opened one after the other. So forward and backward, which pass the units in
/// opposite orders, are told apart. Ranks that open the same units foretell the same.
class UnitForecast {
 public:
  /// Notes that a unit is opened.
  void open(std::size_t unit);
  /// Notes that a pass is over: no unit follows the last one.
  void end();
  /// Returns the unit that probably follows the last one; std::nullopt if none does, or none has
  /// followed yet.
  std::optional<std::size_t> next() const;

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  using Pair = std::array<std::size_t, 2>;

  Pair last_{kNone, kNone};
  std::map<Pair, std::size_t> followers_;
};

}  // namespace knead::plan
