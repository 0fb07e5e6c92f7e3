#include "runner/engine/device/autocast.h"

#include <ATen/autocast_mode.h>

#include "runner/engine/device/device.h"

namespace knead::engine {
namespace {

/// Returns whether the precision needs autocast.
bool is_half(const recipe::Precision& precision) {
  return precision.compute == recipe::Precision::Compute::bf16 ||
         precision.compute == recipe::Precision::Compute::fp16;
}

}  // namespace

Autocast::Autocast(const recipe::Precision& precision) : is_on_(is_half(precision)) {
  if (!is_on_) return;
  const bool is_bf16 = precision.compute == recipe::Precision::Compute::bf16;
  at::autocast::set_autocast_dtype(device().type(), is_bf16 ? at::kBFloat16 : at::kHalf);
  at::autocast::set_autocast_cache_enabled(precision.cache);
  at::autocast::set_autocast_enabled(device().type(), true);
  // Counted, so that a BorrowedAutocast within this one does not clear its casts.
  at::autocast::increment_nesting();
}

Autocast::~Autocast() {
  if (!is_on_) return;
  // The cached casts are those of this step's weights: the next step has other weights.
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(device().type(), false);
}

}  // namespace knead::engine
