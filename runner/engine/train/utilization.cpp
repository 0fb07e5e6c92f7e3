#include "runner/engine/train/utilization.h"

#include "runner/engine/device/device.h"
#include "runner/engine/device/driver.h"
#include "runner/engine/device/known_peak.h"

namespace knead::engine {
namespace {

/// Returns the peak of the device of this rank in operations per second; 0 if it is not known.
double peak_of_device(const recipe::Recipe& recipe) {
  if (recipe.track.device_peak) return *recipe.track.device_peak;
  if (device().is_cpu()) return 0;
  if (const auto peak = known_peak(gpu_name(device().index()), recipe.precision.compute))
    return *peak;
  return 0;
}

}  // namespace

Utilization::Utilization(const Job& job)
    : peak_(job.group->is_first() ? peak_of_device(job.recipe) * job.group->ranks() : 0),
      counts_backward_(device().is_cpu() && !job.recipe.activation_checkpointing) {
  if (peak_ <= 0) return;
  count_ = std::make_unique<WorkCount>();
  passes_.emplace(*count_, static_cast<std::uint64_t>(job.recipe.batch.micro.value()));
}

void Utilization::done(UpdatePart part, const PendingUpdate& update) {
  if (!count_) return;
  passes_->done(part, update);
  if (!passes_->is_complete()) return;
  const double backward = counts_backward_ ? passes_->backward() : 2 * passes_->forward();
  work_of_sample_ = (passes_->forward() + backward) / static_cast<double>(passes_->samples());
  passes_.reset();
  count_.reset();
}

double Utilization::of(double samples_per_second) const {
  return peak_ > 0 ? work_of_sample_ * samples_per_second / peak_ : 0;
}

}  // namespace knead::engine
