#include "runner/engine/train/value_histograms.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace knead::engine {
namespace {

bool asks(const recipe::Sink& sink) {
  const auto* tensorboard = std::get_if<recipe::TensorBoardSink>(&sink);
  return tensorboard && tensorboard->histograms;
}

track::Histogram histogram_of(std::string name, const at::Tensor& tensor, double scale = 1) {
  const at::Tensor host = tensor.detach().to(at::kCPU, at::kFloat).contiguous();
  return track::histogram_of(std::move(name),
                             {host.const_data_ptr<float>(), static_cast<std::size_t>(host.numel())},
                             scale);
}

}  // namespace

ValueHistograms::ValueHistograms(const Job& job)
    : job_(job),
      are_wanted_(job.group->is_first() && !job.shards &&
                  std::any_of(job.recipe.track.to.begin(), job.recipe.track.to.end(), asks)) {}

void ValueHistograms::take_gradients(const PendingUpdate& update, double loss_scale) {
  gradients_.clear();
  if (update.weight == 0) return;
  const double scale = 1 / (update.weight * update.sum_scale * loss_scale);
  for (const NamedTensor& parameter : job_.trained.model->parameters())
    if (parameter.tensor.grad().defined())
      gradients_.push_back(
          histogram_of("gradients/" + parameter.name, parameter.tensor.grad(), scale));
}

track::Histograms ValueHistograms::take(std::uint64_t step) {
  track::Histograms histograms{.step = step, .all = {}};
  for (const NamedTensor& parameter : job_.trained.model->parameters())
    histograms.all.push_back(histogram_of("parameters/" + parameter.name, parameter.tensor));
  for (track::Histogram& each : gradients_) histograms.all.push_back(std::move(each));
  gradients_.clear();
  return histograms;
}

}  // namespace knead::engine
