#include "runner/engine/model/module/failing_layer.h"

#include <algorithm>

#include <ATen/ops/max.h>
#include <ATen/ops/min.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/count_words.h"

namespace knead::engine::model {
namespace {

/// The module that owns the weights of an operator.
struct Layer {
  std::string path;  // "blocks.2.attention.query"; empty: the model itself
  std::string type;  // "Linear"

  /// Returns the layer as a sentence begins: "blocks.2.attention.query is Linear(64 → 192)".
  std::string is(const std::string& sizes) const {
    return fmt::format("{} is {}({})", path.empty() ? "the model" : path, type, sizes);
  }
};

/// Returns the name of a parameter or buffer; an empty text if the tensor is not one.
std::string name_of(const at::Tensor& tensor, const Model::Parts& parts) {
  // A weight may arrive transposed, so tensors are compared by storage.
  for (const NamedTensor& each : parts.parameters) {
    if (each.tensor.is_alias_of(tensor)) return each.name;
  }
  for (const Buffer& each : parts.buffers) {
    if (each.tensor.is_alias_of(tensor)) return each.name;
  }
  return "";
}

/// Returns the layer that holds a tensor of this dotted name.
Layer layer_at(const std::string& tensor, const Model::Parts& parts) {
  Layer layer;
  torch::jit::Module module = parts.module;
  std::size_t begin = 0;
  for (std::size_t dot; (dot = tensor.find('.', begin)) != tensor.npos; begin = dot + 1) {
    module = module.attr(tensor.substr(begin, dot - begin)).toModule();
  }
  layer.path = tensor.substr(0, begin == 0 ? 0 : begin - 1);
  layer.type = module.type()->name()->name();
  return layer;
}

/// Returns the layer whose weights an operator received; std::nullopt if none did.
std::optional<Layer> layer_of(const FailingCall& call, const Model::Parts& parts) {
  for (const at::Tensor& tensor : call.tensors()) {
    const std::string name = name_of(tensor, parts);
    if (!name.empty()) return layer_at(name, parts);
  }
  return std::nullopt;
}

std::string given(const at::Tensor& input) {
  return fmt::format("and is given {}", shape_words(input.sizes()));
}

std::string shapes_of(const FailingCall& call) {
  std::vector<std::string> shapes;
  for (const at::Tensor& tensor : call.tensors()) shapes.push_back(shape_words(tensor.sizes()));
  return fmt::format("{}", fmt::join(shapes, " and "));
}

/// Explains an input whose dtype differs from that of the weights.
std::optional<Explanation> explain_dtype(const std::string& layer, const at::Tensor& input,
                                         const at::Tensor& weight) {
  if (input.scalar_type() == weight.scalar_type()) return std::nullopt;
  const std::string wanted = dtype_words(weight.scalar_type());
  return Explanation{
      fmt::format("{} of {} and is given {}", layer, wanted, dtype_words(input.scalar_type())),
      fmt::format("convert it before: x.to(torch.{}); or let the field of the data "
                  "have that dtype",
                  wanted)};
}

/// Returns a remedy if the flattened input would have the wanted size.
std::string flatten_first(const at::Tensor& input, std::int64_t wanted) {
  if (input.dim() < 3 || input.size(0) == 0) return "";
  return input.numel() / input.size(0) == wanted ? "flatten it first: x.flatten(1)" : "";
}

/// Returns the first tensor of a call that does not belong to the model.
at::Tensor input_of(const FailingCall& call, const Model::Parts& parts) {
  for (const at::Tensor& tensor : call.tensors()) {
    if (name_of(tensor, parts).empty()) return tensor;
  }
  return {};
}

/// Returns the parameter `weight` of a layer; undefined if it has none.
at::Tensor weight_of(const Layer& layer, const Model::Parts& parts) {
  const std::string name = layer.path.empty() ? "weight" : layer.path + ".weight";
  for (const NamedTensor& each : parts.parameters) {
    if (each.name == name) return each.tensor;
  }
  return {};
}

/// Explains a Linear. The layer is recognised by its type, because LibTorch may split the call into
/// other operators.
std::optional<Explanation> explain_linear(const Layer& layer, const FailingCall& call,
                                          const Model::Parts& parts) {
  const at::Tensor input = input_of(call, parts), weight = weight_of(layer, parts);
  if (!input.defined() || !weight.defined() || weight.dim() != 2) return std::nullopt;
  const std::int64_t wanted = weight.size(1);
  const std::string is = layer.is(fmt::format("{} → {}", wanted, weight.size(0)));
  if (input.dim() == 0 || input.size(-1) != wanted) {
    return Explanation{fmt::format("{} {}: the last size must be {}", is, given(input), wanted),
                       flatten_first(input, wanted)};
  }
  return explain_dtype(is, input, weight);
}

/// The spatial dimensions of an input, by their number.
constexpr const char* kAxes[] = {"length", "height, width", "depth, height, width"};

std::optional<Explanation> explain_convolution(const Layer& layer, const FailingCall& call,
                                               const std::string& cause) {
  const at::Tensor input = call.tensor(0), weight = call.tensor(1);
  if (!input.defined() || !weight.defined() || weight.dim() < 3 || weight.dim() > 5) {
    return std::nullopt;
  }
  const std::int64_t axes = weight.dim() - 2;
  const bool is_transposed = call.name.find("transpose") != std::string::npos;
  // The position of `groups` differs: conv_transpose has dilation after it.
  const std::size_t groups_at = is_transposed ? 6 : call.inputs.size() - 1;
  const bool has_groups = groups_at < call.inputs.size() && call.inputs[groups_at].isInt();
  const std::int64_t groups = has_groups ? call.inputs[groups_at].toInt() : 1;
  const std::int64_t takes = is_transposed ? weight.size(0) : weight.size(1) * groups;
  const std::int64_t gives = is_transposed ? weight.size(1) * groups : weight.size(0);
  std::string kernel;
  for (const std::int64_t size : weight.sizes().slice(2)) {
    kernel += fmt::format("{}{}", kernel.empty() ? "" : " × ", size);
  }
  const std::string is = layer.is(fmt::format("{} → {}, kernel {}", takes, gives, kernel));
  if (input.dim() != axes + 2 && input.dim() != axes + 1) {
    return Explanation{
        fmt::format("{} {}: it takes (batch, channels, {})", is, given(input), kAxes[axes - 1]),
        "give the field of the data a shape, or write x.view(…) before"};
  }
  const std::int64_t channels = input.size(-axes - 1);
  if (channels != takes) {
    return Explanation{fmt::format("{} {}: it takes {}, not {}", is, given(input),
                                   schema::count_words(takes, "channel"), channels),
                       ""};
  }
  if (const auto dtype = explain_dtype(is, input, weight)) return dtype;
  if (cause.find("Kernel size can't be greater") == std::string::npos) return std::nullopt;
  return Explanation{fmt::format("{} {}: that is smaller than the kernel", is, given(input)),
                     "pad it, or shrink it less before"};
}

std::optional<Explanation> explain_batch_norm(const Layer& layer, const FailingCall& call) {
  const at::Tensor input = call.tensor(0);
  at::Tensor sized = call.tensor(1);
  if (!sized.defined()) sized = call.tensor(3);  // the running mean if affine=False
  if (!input.defined() || !sized.defined() || input.dim() < 2) return std::nullopt;
  if (input.size(1) == sized.size(0)) return std::nullopt;
  return Explanation{
      fmt::format("{} {}: it takes {}, not {}", layer.is(std::to_string(sized.size(0))),
                  given(input), schema::count_words(sized.size(0), "channel"), input.size(1)),
      ""};
}

std::optional<Explanation> explain_layer_norm(const Layer& layer, const FailingCall& call) {
  const at::Tensor input = call.tensor(0);
  if (!input.defined() || call.inputs.size() < 2 || !call.inputs[1].isIntList()) {
    return std::nullopt;
  }
  const auto sizes = call.inputs[1].toIntVector();
  const std::string wanted = fmt::format("{}", fmt::join(sizes, ", "));
  if (sizes.size() == 1) {
    return Explanation{
        fmt::format("{} {}: the last size must be {}", layer.is(wanted), given(input), wanted), ""};
  }
  return Explanation{
      fmt::format("{} {}: the last sizes must be {}", layer.is(wanted), given(input), wanted), ""};
}

std::optional<Explanation> explain_embedding(const Layer& layer, const FailingCall& call) {
  const at::Tensor table = call.tensor(0), rows = call.tensor(1);
  if (!table.defined() || !rows.defined() || table.dim() != 2) return std::nullopt;
  const std::string is = layer.is(fmt::format("{} × {}", table.size(0), table.size(1)));
  if (!at::isIntegralType(rows.scalar_type(), /*includeBool=*/false)) {
    return Explanation{fmt::format("{} and is given {}: the numbers of rows are whole numbers", is,
                                   dtype_words(rows.scalar_type())),
                       "let the field of the data have dtype: int64, or write x.long() before"};
  }
  if (rows.numel() == 0) return std::nullopt;
  const std::int64_t least = at::min(rows).item<std::int64_t>();
  const std::int64_t most = at::max(rows).item<std::int64_t>();
  return Explanation{fmt::format("{}: it has the rows 0 to {} and is asked for {}", is,
                                 table.size(0) - 1, least < 0 ? least : most),
                     least < 0 ? "" : fmt::format("it needs {} rows or more", most + 1)};
}

/// Explains a call of a known layer type; std::nullopt for any other layer.
std::optional<Explanation> explain_layer(const FailingCall& call, const Layer& layer,
                                         const std::string& cause, const Model::Parts& parts) {
  if (layer.type == "Linear") return explain_linear(layer, call, parts);
  if (call.name.starts_with("conv")) return explain_convolution(layer, call, cause);
  if (call.name == "batch_norm") return explain_batch_norm(layer, call);
  if (call.name == "layer_norm" || call.name == "rms_norm") return explain_layer_norm(layer, call);
  if (call.name == "embedding") return explain_embedding(layer, call);
  return std::nullopt;
}

/// Replaces messages of LibTorch that say little; adds the shapes to any other message.
Explanation reworded(const FailingCall& call, const std::string& cause) {
  const at::Tensor first = call.tensor(0), second = call.tensor(1);
  if (cause.starts_with("Boolean value of Tensor")) {
    return {fmt::format("a truth value is needed here, and this Tensor has {}", first.numel()),
            "write .any() or .all(); to choose for each number: torch.where(…), and & for 'and'"};
  }
  if (cause.starts_with("view size is not compatible")) {
    return {"view() cannot change a Tensor whose dimensions were swapped or cut",
            "write .reshape(…)"};
  }
  if (cause.starts_with("shape '")) {
    return {fmt::format("a Tensor of shape {}, {} numbers, cannot have the {}",
                        shape_words(first.sizes()), first.numel(),
                        cause.substr(0, cause.find(" is invalid"))),
            ""};
  }
  if (cause.starts_with("The size of tensor a") && first.defined() && second.defined()) {
    return {fmt::format("the shapes {} and {} do not fit each other", shape_words(first.sizes()),
                        shape_words(second.sizes())),
            "from the last dimension on, sizes must be equal, or one of them 1"};
  }
  return {cause, call.tensors().empty() ? "" : "the shapes are " + shapes_of(call)};
}

}  // namespace

Explanation explain(const FailingCall& call, const std::string& cause, const Model::Parts& parts) {
  const auto layer = layer_of(call, parts);
  if (!layer) return reworded(call, cause);
  if (const auto known = explain_layer(call, *layer, cause, parts)) return *known;
  if (layer->path.empty()) return reworded(call, cause);
  const Explanation other = reworded(call, cause);
  return {fmt::format("{} ({}): {}", layer->path, layer->type, other.message), other.remedy};
}

}  // namespace knead::engine::model
