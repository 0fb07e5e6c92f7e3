#include "runner/engine/model/operators/permission.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include "runner/engine/model/operators/language_operators.h"

namespace knead::engine::model {
namespace {

const OperatorRefusal kFiles = {"a model cannot touch files",
                                "weights come into a model by the recipe's `init`"};
const OperatorRefusal kSeed = {
    "random numbers follow from the seed of the recipe",
    "take this line out; `seed` in the recipe says which numbers are drawn"};
const OperatorRefusal kDevice = {
    "a model is built on the CPU",
    "take this out; `device` in the recipe says where the model lives"};
const OperatorRefusal kInternal = {
    "it is a part of LibTorch's own implementation, which does not check its arguments",
    "write the function of torch or torch.nn.functional that calls it"};
const OperatorRefusal kUnchecked = {
    "it does not check its arguments, so it could read other memory",
    "write it with dense tensors and checked operators"};
const OperatorRefusal kQuantised = {"models with quantised weights are not trained",
                                    "take this out; `precision` in the recipe chooses the dtype"};
const OperatorRefusal kNotNumbers = {"it is not an operator on numbers",
                                     "take this line out: a model computes with tensors"};

/// Native operators that have an effect outside of tensors, or do not check their arguments, and
/// operators of TorchScript for which there is a reason to show.
const std::map<std::string_view, const OperatorRefusal*>& refused_names() {
  static const std::map<std::string_view, const OperatorRefusal*> names = {
      {"from_file", &kFiles},
      {"load", &kFiles},
      {"save", &kFiles},
      {"manual_seed", &kSeed},
      {"seed", &kSeed},
      {"initial_seed", &kSeed},
      {"set_num_threads", &kSeed},
      {"Generator", &kSeed},
      {"cuda", &kDevice},
      {"pin_memory", &kDevice},
      {"is_pinned", &kDevice},
      {"record_stream", &kDevice},
      // Their indices may be changed after the check, or are not checked at all.
      {"sparse_coo_tensor", &kUnchecked},
      {"sparse_compressed_tensor", &kUnchecked},
      {"sparse_csr_tensor", &kUnchecked},
      {"sparse_csc_tensor", &kUnchecked},
      {"sparse_bsr_tensor", &kUnchecked},
      {"sparse_bsc_tensor", &kUnchecked},
      {"sparse_resize", &kUnchecked},
      {"sparse_resize_", &kUnchecked},
      {"sparse_resize_and_clear", &kUnchecked},
      {"sparse_resize_and_clear_", &kUnchecked},
      {"resize_as_sparse", &kUnchecked},
      {"resize_as_sparse_", &kUnchecked},
      {"copy_sparse_to_sparse", &kUnchecked},
      {"copy_sparse_to_sparse_", &kUnchecked},
      {"indices", &kUnchecked},
      {"crow_indices", &kUnchecked},
      {"col_indices", &kUnchecked},
      {"ccol_indices", &kUnchecked},
      {"row_indices", &kUnchecked},
      {"to_sparse", &kUnchecked},
      {"to_sparse_csr", &kUnchecked},
      {"to_sparse_csc", &kUnchecked},
      {"to_sparse_bsr", &kUnchecked},
      {"to_sparse_bsc", &kUnchecked},
      {"sparse_mask", &kUnchecked},
      {"values", &kUnchecked},
      {"segment_reduce", &kUnchecked},
      {"linalg_ldl_solve", &kUnchecked},
      {"get_gradients", &kNotNumbers},
      {"choose_qparams_optimized", &kQuantised},
      {"empty_quantized", &kQuantised},
      {"fused_moving_avg_obs_fake_quant", &kQuantised},
      {"int_repr", &kQuantised},
      {"q_per_channel_axis", &kQuantised},
      {"q_per_channel_scales", &kQuantised},
      {"q_per_channel_zero_points", &kQuantised},
      {"q_scale", &kQuantised},
      {"q_zero_point", &kQuantised},
      {"qscheme", &kQuantised},
      {"quantize_per_channel", &kQuantised},
      {"quantize_per_tensor", &kQuantised},
      {"quantize_per_tensor_dynamic", &kQuantised},
      {"convolution_overrideable", &kInternal},
      {"to_mkldnn", &kInternal},
      {"batch_norm_elemt", &kInternal},
      {"batch_norm_gather_stats", &kInternal},
      {"batch_norm_gather_stats_with_counts", &kInternal},
      {"batch_norm_stats", &kInternal},
      {"batch_norm_update_stats", &kInternal},
  };
  return names;
}

/// Operators of one library or one kind of device, which the general operators call.
constexpr std::array<std::string_view, 7> kOfLibraries{
    "cudnn_", "miopen_", "mkldnn_", "fbgemm_", "quantized_", "nested_", "native_"};

/// Operators whose name begins with '_' although models call them: PyTorch's own functions do so
/// without further checks.
const std::set<std::string_view>& checked_internals() {
  static const std::set<std::string_view> names = {
      "_assert_async",
      "_cast_Byte",
      "_cast_Char",
      "_cast_Double",
      "_cast_Float",
      "_cast_Half",
      "_cast_Int",
      "_cast_Long",
      "_cast_Short",
      "_conj",
      "_convolution",
      "_convolution_mode",
      "_dim_arange",
      "_log_softmax",
      "_masked_softmax",
      "_neg_view",
      "_pad_circular",
      "_sample_dirichlet",
      "_scaled_dot_product_attention_math",
      "_shape_as_tensor",
      "_softmax",
      "_stack",
      "_standard_gamma",
      "_trilinear",
      "_unique",
      "_unique2",
      "_unsafe_view",
      "_upsample_bicubic2d_aa",
      "_upsample_bilinear2d_aa",
      "_upsample_nearest_exact1d",
      "_upsample_nearest_exact2d",
      "_upsample_nearest_exact3d",
      "_weight_norm",
  };
  return names;
}

bool is_native(std::string_view name) {
  static const std::set<std::string, std::less<>> names = [] {
    std::set<std::string, std::less<>> made;
    auto& dispatcher = c10::Dispatcher::singleton();
    for (const c10::OperatorName& one : dispatcher.getAllOpNames()) {
      if (one.name.starts_with("aten::") && dispatcher.findSchema(one))
        made.insert(one.name.substr(6));
    }
    return made;
  }();
  return names.contains(name);
}

bool is_internal(std::string_view name) {
  const bool is_method = name.starts_with("__");  // x & y is aten::__and__
  if (name.starts_with('_') && !is_method)
    return !name.starts_with("_foreach_") && !checked_internals().contains(name);
  if (name.find("backward") != name.npos) return true;
  return std::any_of(kOfLibraries.begin(), kOfLibraries.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// Names of parameters that are texts: a mode, a norm, a dimension. A parameter of another name,
/// such as `filename`, may mean anything.
const std::set<std::string_view>& mode_parameters() {
  static const std::set<std::string_view> names = {
      "UPLO",          "approximate",   "assert_msg", "dim",      "dim0",     "dim1",
      "dim2",          "dims",          "driver",     "end_dim",  "equation", "indexing",
      "interpolation", "mode",          "names",      "norm",     "ord",      "order",
      "out_dim",       "outdim",        "p",          "pad_mode", "padding",  "padding_side",
      "reduce",        "rounding_mode", "side",       "start_dim"};
  return names;
}

/// Returns whether a parameter of this type and name carries numbers or the name of a mode.
bool carries_numbers(const c10::Type& type, const std::string& name) {
  switch (type.kind()) {
    case c10::TypeKind::TensorType:
    case c10::TypeKind::IntType:
    case c10::TypeKind::FloatType:
    case c10::TypeKind::BoolType:
    case c10::TypeKind::NumberType:
    case c10::TypeKind::ComplexType:
    case c10::TypeKind::DeviceObjType:
    case c10::TypeKind::GeneratorType:
    case c10::TypeKind::SymIntType: return true;
    case c10::TypeKind::StringType: return mode_parameters().contains(name);
    case c10::TypeKind::ListType:
    case c10::TypeKind::OptionalType: return carries_numbers(*type.containedType(0), name);
    default: return false;  // a storage, a stream, an object of another library
  }
}

/// Operators of which only layers/nn.py and layers/functional.py check the arguments.
const std::map<std::string_view, OperatorRefusal>& operators_of_layers() {
  static const std::map<std::string_view, OperatorRefusal> names = {
      {"ctc_loss", {kUnchecked.why, "write F.ctc_loss(…), which checks the targets"}},
      {"embedding_bag", {kUnchecked.why, "write F.embedding_bag(…), which checks the offsets"}},
      {"lstm", {kUnchecked.why, "write nn.LSTM(…), which checks the weights"}},
  };
  return names;
}

}  // namespace

const OperatorRefusal* refusal_of_native(std::string_view name) {
  const auto found = refused_names().find(name);
  if (found != refused_names().end()) return found->second;
  return is_native(name) && is_internal(name) ? &kInternal : nullptr;
}

const OperatorRefusal* refusal_of(const c10::FunctionSchema& schema) {
  const std::string_view name = schema.name();
  if (name.starts_with("prim::")) return refusal_of_primitive(name);
  // The call of a torch.autograd.Function, which no source can name.
  if (name == "knead::function") return nullptr;
  if (!name.starts_with("aten::")) return &kNotNumbers;
  const std::string_view short_name = name.substr(6);
  if (!c10::Dispatcher::singleton().findSchema(schema.operator_name())) {
    if (is_of_language(short_name)) return nullptr;
    const OperatorRefusal* refusal = refusal_of_native(short_name);
    return refusal || is_native(short_name) ? refusal : &kNotNumbers;
  }
  if (const OperatorRefusal* refusal = refusal_of_native(short_name)) return refusal;
  const auto& parameters = schema.arguments();
  const bool computes = std::all_of(parameters.begin(), parameters.end(), [](const auto& one) {
    return carries_numbers(*one.type(), one.name());
  });
  return computes ? nullptr : &kNotNumbers;
}

const OperatorRefusal* refusal_of_primitive(std::string_view name) {
  return name.starts_with("prim::") && is_primitive(name.substr(6)) ? nullptr : &kNotNumbers;
}

const OperatorRefusal* refusal_outside_layers(std::string_view name) {
  const auto found = operators_of_layers().find(name);
  return found == operators_of_layers().end() ? nullptr : &found->second;
}

std::string refused_words(std::string_view name, const OperatorRefusal& refusal) {
  return fmt::format("'{}' cannot be called in a model: {}", name, refusal.why);
}

}  // namespace knead::engine::model
