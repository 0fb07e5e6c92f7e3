#include "runner/engine/model/module/tensor_references.h"

#include <vector>

#include <ATen/ops/as_strided.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

/// Returns the number of storage elements that a view spans, counted from its first element.
std::int64_t reach(const at::Tensor& tensor) {
  std::int64_t last = 0;
  for (std::int64_t i = 0; i < tensor.dim(); ++i) last += (tensor.size(i) - 1) * tensor.stride(i);
  return last + 1;
}

/// Returns whether `view` is a view of `base`. A base with gaps is saved without them, so the
/// offsets of a view of it would not be valid.
bool is_view_of(const at::Tensor& view, const at::Tensor& base) {
  if (!view.has_storage() || !base.has_storage() || view.numel() == 0) return false;
  if (!view.storage().is_alias_of(base.storage()) || view.dtype() != base.dtype()) return false;
  const std::int64_t begin = view.storage_offset() - base.storage_offset();
  return base.is_contiguous() && begin >= 0 && begin + reach(view) <= base.numel();
}

}  // namespace

nlohmann::json TensorWriter::reference(const at::Tensor& tensor, const std::string& name) {
  for (const NamedTensor& each : known_) {
    if (each.tensor.is_same(tensor)) return each.name;
  }
  for (const NamedTensor& each : known_) {
    if (!is_view_of(tensor, each.tensor)) continue;
    return {{"view_of", each.name},
            {"sizes", tensor.sizes().vec()},
            {"strides", tensor.strides().vec()},
            {"offset", tensor.storage_offset() - each.tensor.storage_offset()},
            {"has_gradient", tensor.requires_grad()}};
  }
  // A later view of this tensor must refer to it, as to a tensor of the model.
  known_.push_back({name, tensor});
  own_.push_back({name, tensor.detach().contiguous()});
  return name;
}

TensorReader::TensorReader(const NamedTensors& known, const NamedTensors& own) {
  for (const NamedTensor& each : known) tensors_.emplace(each.name, each.tensor);
  for (const NamedTensor& each : own) tensors_.emplace(each.name, each.tensor.clone());
}

at::Tensor TensorReader::tensor(const nlohmann::json& reference) const {
  if (reference.is_string()) return find(reference.get<std::string>());
  const at::Tensor& base = find(reference.at("view_of").get<std::string>());
  // A view that required a gradient is made with autograd enabled, so that it requires one again.
  const c10::AutoGradMode gradients(reference.at("has_gradient").get<bool>());
  return at::as_strided(base, reference.at("sizes").get<std::vector<std::int64_t>>(),
                        reference.at("strides").get<std::vector<std::int64_t>>(),
                        base.storage_offset() + reference.at("offset").get<std::int64_t>());
}

const at::Tensor& TensorReader::find(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found != tensors_.end()) return found->second;
  throw Error(fmt::format("the checkpoint has no '{}'", name), "it belongs to another model");
}

}  // namespace knead::engine::model
