#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/report/scale.h"

namespace knead::report {

/// The values that a key of a sweep takes, as an axis: many numbers by their size,
/// anything else in order, at equal distances.
class KeyAxis {
 public:
  /// `values` are those of all points, with repetitions, as people read them.
  KeyAxis(std::string key, const std::vector<std::string>& values);

  const std::string& key() const { return key_; }
  /// All values are numbers, and there are more than six of them.
  bool is_number() const { return is_number_; }
  bool is_log() const { return scale_.is_log; }

  /// Returns the place of a value, from 0 to 1.
  double place(const std::string& value) const;

  /// Returns at most `most` places with the texts that stand there.
  std::vector<std::pair<double, std::string>> marks(std::size_t most) const;

 private:
  std::string key_;
  std::vector<std::string> choices_;  // distinct, in order; of texts
  bool is_number_ = false;
  Scale scale_;
};

/// Returns the number that a text is; std::nullopt if it is none, or not finite.
std::optional<double> number_in(const std::string& text);

}  // namespace knead::report
