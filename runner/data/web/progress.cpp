#include "runner/data/web/progress.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "schema/document/error.h"

namespace knead::data {

std::chrono::milliseconds patience() {
  constexpr std::chrono::seconds kUsual{30};
  const char* const set = std::getenv("KNEAD_PATIENCE");
  if (!set || !*set) return kUsual;
  const std::string_view text = set;
  int seconds = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (code != std::errc() || end != text.data() + text.size() || seconds < 1 || seconds > 86400)
    throw Error("KNEAD_PATIENCE is no whole number of seconds from 1 to 86400",
                "it says how long a fetch may go on without progress");
  return std::chrono::seconds(seconds);
}

Progress::Progress(std::chrono::milliseconds patience) : patience_(patience), last_(Clock::now()) {}

void Progress::add(std::size_t bytes) {
  const std::uint64_t before = marks();
  bytes_ += bytes;
  if (marks() > before) last_ = Clock::now();
}

Progress::Clock::time_point Progress::end_of_silence() const {
  return std::min(Clock::now() + silence(), end());
}

}  // namespace knead::data
