#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/parallel/exchange.h"
#include "runner/engine/parallel/group.h"
#include "runner/plan/shards.h"
#include "runner/plan/unit_forecast.h"

namespace knead::engine::parallel {

/// Tells which numbers ranks gather in one operation.
struct GatheredPart {
  std::size_t bucket = 0;
  at::ScalarType type{};  // in which they are sent
  plan::Portion portion{};
  /// Holds them already, in memory that ranks share; null: they are written to where they are sent
  /// from.
  Exchange* place = nullptr;
};

/// Gathers the parameters of the units of a model, one unit after the other. Begins the unit that
/// will probably be next while this one computes. All ranks must gather the same units in the same
/// order. Used by one thread.
class UnitGathers {
 public:
  /// Writes the numbers of a part that this rank owns to the place from which they are sent.
  using Fill = std::function<void(const GatheredPart& part, const at::Tensor& place)>;
  /// Receives the numbers of a part that a shard owns.
  using Receive =
      std::function<void(const GatheredPart& part, std::size_t shard, const at::Tensor& numbers)>;

  /// `parts` holds those of each unit; `shard` is that of this rank. Unit 0 is never begun ahead:
  /// it is needed from the first forward to the last backward. Borrows the group; all ranks must
  /// call it.
  UnitGathers(std::vector<std::vector<GatheredPart>> parts, std::size_t shard, Group& group,
              Fill fill, Receive receive);

  /// Gathers a unit, then begins the next one.
  void gather(std::size_t unit);
  /// Says that a pass is over: drops what was begun, and waits until other ranks have read what
  /// this one holds. Its numbers may change then.
  void end_pass();

 private:
  /// A part that this rank has sent and not read yet.
  struct Begun {
    const GatheredPart* part;
    Exchange* exchange;
  };

  void begin_more();
  void drop();

  std::vector<std::vector<GatheredPart>> parts_;  // by unit
  std::size_t shard_;                             // of this rank
  std::size_t at_once_;                           // bounds begun_
  Exchanges exchanges_;
  Fill fill_;
  Receive receive_;
  plan::UnitForecast forecast_;
  std::size_t unit_ = 0;       // that is being gathered
  std::size_t next_part_ = 0;  // of the unit, to be begun
  std::deque<Begun> begun_;
};

}  // namespace knead::engine::parallel
