#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runner/data/source/field.h"
#include "runner/plan/mix_draw.h"

namespace knead::data {

/// Which rows of a source are read, and when: what is drawn at random while reading (a crop, a
/// window) is a function of this and the seed, so that all fields of a sample see the same draw,
/// and neither threads nor interruptions change it (plan/random.h).
struct Request {
  std::span<const std::uint64_t> rows;  // any order, below rows() of the source
  std::uint64_t epoch = 0;
  std::uint64_t first = 0;  // the place of rows[0] in the epoch; the others follow it
  std::span<const plan::Turn> turns = {};  // by row: what epoch and place are for its part of a mix

  /// Of the rows [begin, begin + count) alone.
  Request part(std::size_t begin, std::size_t count) const {
    return {rows.subspan(begin, count), epoch, first + begin,
            turns.empty() ? turns : turns.subspan(begin, count)};
  }
};

/// Samples by number, wherever they lie: in memory, in a mapped file, behind a decoder. A source is
/// checked when it is opened; all that it was made from stays with it.
class Source {
 public:
  virtual ~Source() = default;

  /// How many samples there are.
  virtual std::uint64_t rows() const = 0;

  virtual const std::vector<Field>& fields() const = 0;

  /// Writes one field of the rows asked for, one after another, to `destination`, which holds
  /// rows.size() × bytes_per_sample(). `field`: its place in fields(). Threads may call it at the
  /// same time. Throws knead::Error with file and record for what opening could not see.
  virtual void read(std::size_t field, const Request& request, std::byte* destination) const = 0;
};

}  // namespace knead::data
