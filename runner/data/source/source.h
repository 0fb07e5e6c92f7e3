#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runner/data/source/field.h"
#include "runner/plan/mix_draw.h"

namespace knead::data {

/// Tells which rows to read and at which position of training. Random draws while reading (a crop,
/// a window) are a function of this and the seed, so that all fields of a sample see the same draw
/// and neither threads nor interruptions change it (plan/random.h). Borrows its spans: they must
/// outlive the request.
struct Request {
  std::span<const std::uint64_t> rows;  // in any order; each below rows() of the source
  std::uint64_t epoch = 0;
  std::uint64_t first = 0;                 // position of rows[0] in the epoch; the others follow
  std::span<const plan::Turn> turns = {};  // by row: round and position within its set of a mix

  /// Returns a request for the rows [begin, begin + count) alone, at the positions that they have
  /// in this request. Borrows the same memory.
  Request part(std::size_t begin, std::size_t count) const {
    return {rows.subspan(begin, count), epoch, first + begin,
            turns.empty() ? turns : turns.subspan(begin, count)};
  }
};

/// Provides samples by number, from memory, a mapped file or a decoder. All samples have the same
/// fields with the same shapes. A source is checked when it is opened, and owns or shares all that
/// it needs for reading, so it does not refer to the recipe. It does not change after construction:
/// any thread may call any member.
///
/// A batch is read with one call of read() for each field that is wanted, all with the same
/// request; fields that nobody asks for cost nothing.
class Source {
 public:
  virtual ~Source() = default;

  /// Returns the number of samples; rows are counted from 0 and stay the same for the life of the
  /// source.
  virtual std::uint64_t rows() const = 0;

  /// Returns the fields that every sample has. The reference is valid as long as the source lives.
  virtual const std::vector<Field>& fields() const = 0;

  /// Writes one field of the requested rows, one after another, to `destination`, which has
  /// rows.size() × bytes_per_sample() bytes and is aligned for the numbers of the field. `field`:
  /// index in fields(). Equal requests write equal bytes. Several threads may call this at the same
  /// time. Throws knead::Error with file and record for faults that are found only while reading,
  /// such as a damaged image or a file that was cut meanwhile; the content of `destination` is then
  /// unspecified.
  virtual void read(std::size_t field, const Request& request, std::byte* destination) const = 0;
};

}  // namespace knead::data
