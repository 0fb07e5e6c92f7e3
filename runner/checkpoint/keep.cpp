#include "runner/checkpoint/keep.h"

#include <algorithm>

namespace knead::checkpoint {

namespace {

// The state that a run resumed from is known to work. One newer checkpoint may hold a run that has
// gone wrong since, so two are waited for.
constexpr std::size_t kNewerThanResumed = 2;

std::size_t verified_after(const std::vector<Candidate>& candidates, std::uint64_t step) {
  return std::count_if(candidates.begin(), candidates.end(),
                       [&](const Candidate& other) { return other.step > step && other.verified; });
}

/// Returns the first step of each stretch except stretch 0, in which the run began.
std::set<std::uint64_t> first_of_stretches(const std::vector<Candidate>& candidates,
                                           const Kept& kept) {
  std::set<std::uint64_t> out;
  std::set<std::uint64_t> stretches{0};
  if (!kept.stretch) return out;
  for (const Candidate& candidate : candidates) {
    if (stretches.insert(kept.stretch(candidate.step)).second) out.insert(candidate.step);
  }
  return out;
}

}  // namespace

std::vector<std::uint64_t> superfluous(const std::vector<Candidate>& candidates, const Kept& kept,
                                       std::optional<std::uint64_t> resumed_from) {
  std::vector<Candidate> ordered = candidates;
  std::sort(ordered.begin(), ordered.end(),
            [](const Candidate& left, const Candidate& right) { return left.step < right.step; });
  const std::set<std::uint64_t> landmarks = first_of_stretches(ordered, kept);
  const std::size_t last = std::max<std::size_t>(kept.last, 1);
  std::vector<std::uint64_t> out;
  for (const Candidate& candidate : ordered) {
    const std::size_t newer = verified_after(ordered, candidate.step);
    const bool resumed = candidate.step == resumed_from && newer < kNewerThanResumed;
    // A checkpoint counts only newer verified ones: the newest verified one is never superfluous.
    if (newer >= last && !resumed && !kept.best.contains(candidate.step) &&
        !landmarks.contains(candidate.step)) {
      out.push_back(candidate.step);
    }
  }
  return out;
}

}  // namespace knead::checkpoint
