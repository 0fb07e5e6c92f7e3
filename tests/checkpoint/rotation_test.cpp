#include <algorithm>

#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "runner/checkpoint/keep.h"
#include "tests/checkpoint/story.h"

namespace knead::tests {

namespace {

using checkpoint::Candidate;
using Steps = std::vector<std::uint64_t>;

Steps deleted_of(const std::vector<Candidate>& candidates, const checkpoint::Kept& kept,
                 std::optional<std::uint64_t> resumed_from = std::nullopt) {
  return checkpoint::superfluous(candidates, kept, resumed_from);
}

std::vector<Candidate> verified(const Steps& steps) {
  std::vector<Candidate> out;
  for (const std::uint64_t step : steps) out.push_back({step, true});
  return out;
}

/// Whether property holds of what is random in it.
template <class Property>
void holds(const std::string& title, Property property) {
  CHECK(rc::check(title, property));
}

}  // namespace

TEST_CASE("what rotation keeps") {
  const auto all = verified({100, 200, 300, 400});
  const checkpoint::Kept two{.last = 2, .best = {}, .stretch = {}};
  CHECK(deleted_of(all, two) == Steps{100, 200});
  CHECK(deleted_of(all, {.last = 0, .best = {}, .stretch = {}}) == Steps{100, 200, 300});
  CHECK(deleted_of(all, {.last = 2, .best = {100}, .stretch = {}}) == Steps{200});
  CHECK(deleted_of(all, two, 100) == Steps{100, 200});
  CHECK(deleted_of(verified({100, 200}), {.last = 1, .best = {}, .stretch = {}}, 100).empty());

  // The first of each 150 steps but the first.
  const auto stretch = [](std::uint64_t step) { return step / 150; };
  CHECK(deleted_of(all, {.last = 1, .best = {}, .stretch = stretch}) == Steps{100});

  // One that was not read back stands for nothing, and is not deleted for one that was not.
  CHECK(deleted_of({{100, true}, {200, false}}, {.last = 1, .best = {}, .stretch = {}}).empty());
  CHECK(deleted_of({{100, false}, {200, true}}, {.last = 1, .best = {}, .stretch = {}}) ==
        Steps{100});
}

TEST_CASE("rotation keeps what it must, whatever there is") {
  holds("of any candidates", [] {
    std::vector<Candidate> candidates;
    for (const std::uint64_t step :
         *rc::gen::unique<Steps>(rc::gen::inRange<std::uint64_t>(0, 99))) {
      candidates.push_back({step, *rc::gen::arbitrary<bool>()});
    }
    checkpoint::Kept kept{.last = *rc::gen::inRange<std::size_t>(0, 5), .best = {}, .stretch = {}};
    kept.best =
        *rc::gen::container<std::set<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 99));
    const std::uint64_t every = *rc::gen::inRange<std::uint64_t>(1, 50);
    if (*rc::gen::arbitrary<bool>())
      kept.stretch = [=](std::uint64_t step) { return step / every; };
    const Steps gone = deleted_of(candidates, kept);

    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& left, const Candidate& right) { return left.step > right.step; });
    std::size_t newer = 0;
    for (const Candidate& one : candidates) {
      const bool deleted = std::find(gone.begin(), gone.end(), one.step) != gone.end();
      const bool needed =
          newer < std::max<std::size_t>(kept.last, 1) || kept.best.contains(one.step);
      RC_ASSERT(!(deleted && needed));
      // And no more than it must, but for the first of a stretch.
      if (!kept.stretch) RC_ASSERT(deleted || needed);
      if (one.verified) ++newer;
    }
  });
}

}  // namespace knead::tests
