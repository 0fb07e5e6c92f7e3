#include "runner/engine/device/borrowed_autocast.h"

#include <ATen/autocast_mode.h>

#include "runner/engine/device/device.h"

namespace knead::engine {

AutocastState::AutocastState()
    : enabled_(at::autocast::is_autocast_enabled(device().type())),
      cached_(at::autocast::is_autocast_cache_enabled()),
      dtype_(at::autocast::get_autocast_dtype(device().type())) {}

void AutocastState::restore() const {
  at::autocast::set_autocast_enabled(device().type(), enabled_);
  at::autocast::set_autocast_dtype(device().type(), dtype_);
  at::autocast::set_autocast_cache_enabled(cached_);
}

BorrowedAutocast::BorrowedAutocast(const AutocastState& other) {
  // before_ holds the settings of this thread already: members are made before the body runs.
  other.restore();
  at::autocast::increment_nesting();
}

BorrowedAutocast::~BorrowedAutocast() {
  // An enclosing autocast goes on using the cached casts; without one they would become stale.
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  before_.restore();
}

}  // namespace knead::engine
