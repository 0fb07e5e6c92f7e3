#include <fmt/format.h>

#include "runner/engine/model/einops/call_arguments.h"
#include "runner/engine/model/einops/plan.h"
#include "runner/engine/model/einops/shape_pattern.h"
#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/values/bound_arguments.h"
#include "runner/engine/model/values/call_binding.h"

namespace knead::engine::model {
namespace {

using Sizes = std::vector<std::int64_t>;

Value numbers_of(const Sizes& sizes) {
  Values items;
  for (const std::int64_t size : sizes) items.push_back(size);
  return make_list(std::move(items));
}

at::Tensor operated(const std::string& name, Values arguments) {
  const Value result = call_operator(name, {std::move(arguments), {}});
  return std::get<at::Tensor>(result);
}

/// Returns the tensor of a call; a list of tensors is stacked along a new first dimension.
at::Tensor tensor_argument(const Value& value) {
  if (const auto* tensor = std::get_if<at::Tensor>(&value)) return *tensor;
  const auto* list = as<List>(value);
  if (list && (*list)->items.empty()) {
    throw Mistake::of("TypeError", "Rearrange/Reduce/Repeat can't be applied to an empty list");
  }
  if (list) return operated("stack", {value});
  throw Mistake::of("RuntimeError",
                    fmt::format("Tensor type unknown to einops: {}", type_name(value)),
                    as<Tuple>(value) ? "write a list: list(tensors)" : "");
}

at::Tensor reduced(at::Tensor tensor, const std::string& operation, const Sizes& dimensions) {
  if (dimensions.empty()) return tensor;
  if (operation == "prod" || operation == "any" || operation == "all") {
    for (auto place = dimensions.rbegin(); place != dimensions.rend(); ++place) {
      tensor = operated(operation, {tensor, *place});
    }
    return tensor;
  }
  if (operation == "mean" && !tensor.is_floating_point()) {
    throw Mistake::of("NotImplementedError", einops::kMeanOfIntegers);
  }
  const bool is_order = operation == "min" || operation == "max";
  return operated(is_order ? "a" + operation : operation, {tensor, numbers_of(dimensions)});
}

at::Tensor transformed(at::Tensor tensor, const einops::Plan& plan, const einops::Steps& steps) {
  if (steps.split) tensor = operated("reshape", {tensor, numbers_of(*steps.split)});
  if (steps.order) tensor = operated("permute", {tensor, numbers_of(*steps.order)});
  tensor = reduced(tensor, plan.operation, steps.reduced);
  for (const std::int64_t place : steps.added) tensor = operated("unsqueeze", {tensor, place});
  if (!steps.added.empty()) tensor = operated("expand", {tensor, numbers_of(steps.expanded)});
  if (steps.merged) tensor = operated("reshape", {tensor, numbers_of(*steps.merged)});
  return tensor;
}

/// Implements rearrange(), repeat() and reduce().
Value transform(const std::string& function, const Arguments& arguments) {
  const einops::CallArguments bound = einops::bind_arguments(function, shape_of(arguments));
  std::string operation = function;
  if (bound.reduction) {
    const Value& reduction = *argument_in(*bound.reduction, arguments);
    if (!is_text(reduction)) {
      throw Mistake("reduce() takes the name of a reduction here, and no function",
                    "rearrange() the axes to the end and call the function with their dimensions");
    }
    operation = std::get<std::string>(reduction);
  }
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::int64_t>> lengths;
  for (const std::size_t place : bound.lengths) {
    const auto& [name, value] = arguments.named[place];
    names.push_back(name);
    lengths.emplace_back(name, to_integer(value));
  }
  const std::string& pattern = to_text(*argument_in(bound.pattern, arguments), "the pattern");
  const einops::Plan plan = einops::make_plan(pattern, operation, names);
  const at::Tensor tensor = tensor_argument(*argument_in(bound.tensor, arguments));
  return transformed(tensor, plan, einops::make_steps(plan, tensor.sizes().vec(), lengths));
}

Value einsum(Evaluator&, const Arguments& arguments) {
  const Values& given = arguments.positional;
  if (given.size() < 2 || !arguments.named.empty()) {
    throw Mistake::of("ValueError", "einops.einsum() takes the tensors, then the pattern");
  }
  if (!is_text(given.back())) {
    throw Mistake::of("ValueError", "the last argument of einops.einsum() is its pattern");
  }
  const std::string equation = einops::einsum_equation(std::get<std::string>(given.back()));
  return operated("einsum", {equation, make_list(Values(given.begin(), given.end() - 1))});
}

// --- what models/layers/einops.py asks of patterns; the compiler calls these too, so they depend
// on their arguments alone

Value pack_axes(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("_pack_axes", arguments, {"pattern", "function"}, 2);
  const einops::PackPattern pattern = einops::parse_pack_pattern(to_text(bound[0], "the pattern"),
                                                                 to_text(bound[1], "the function"));
  return make_tuple(
      {static_cast<std::int64_t>(pattern.before), static_cast<std::int64_t>(pattern.after)});
}

/// Returns (dimensions, has_ellipsis, ((name, length, place), …)) of a pattern of parse_shape().
Value shape_axes(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("_shape_axes", arguments, {"pattern"}, 1);
  const auto pattern = einops::parse_shape_pattern(to_text(bound[0], "the pattern"));
  Values axes;
  for (const einops::ShapeAxis& axis : pattern.axes) {
    axes.push_back(make_tuple({axis.name, axis.length, axis.place}));
  }
  return make_tuple({static_cast<std::int64_t>(pattern.dimensions), pattern.has_ellipsis,
                     make_tuple(std::move(axes))});
}

/// Returns the groups of one side of a pattern as lists of names; a number is an int, and an
/// ellipsis outside of parentheses a text.
Value groups(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("_groups", arguments, {"expression"}, 1);
  const auto side = einops::parse_expression(to_text(bound[0], "the pattern"));
  Values all;
  for (const auto& group : side.groups) {
    const bool is_ellipsis = group.size() == 1 && group.front().is_ellipsis();
    if (is_ellipsis && !side.has_ellipsis_in_parentheses) {
      all.push_back(group.front().name);
      continue;
    }
    Values axes;
    for (const einops::Axis& axis : group) {
      axes.push_back(axis.is_number() ? Value(axis.number) : Value(axis.name));
    }
    all.push_back(make_list(std::move(axes)));
  }
  return make_list(std::move(all));
}

/// Refuses a pattern that no shape fits, when a layer is made.
Value check_pattern(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("_check", arguments, {"pattern", "operation", "axes_lengths"}, 3);
  std::vector<std::string> names;
  const auto* lengths = as<Dict>(bound[2]);
  if (lengths == nullptr) throw Mistake("the lengths of axes are a dict");
  for (const auto& [name, length] : (*lengths)->items) names.push_back(to_text(name, "an axis"));
  einops::make_plan(to_text(bound[0], "the pattern"), to_text(bound[1], "the reduction"), names);
  return None{};
}

Value nothing(Evaluator&, const Arguments&) { return None{}; }

}  // namespace

void add_einops(Evaluator& evaluator) {
  const auto einops = make_namespace("einops");
  for (const char* name : {"rearrange", "repeat", "reduce"}) {
    einops->names->set(name,
                       make_builtin(fmt::format("einops.{}", name),
                                    [name](Evaluator&, const Arguments& arguments, syntax::Range) {
                                      return transform(name, arguments);
                                    }));
  }
  const std::pair<const char*, Method> functions[] = {{"einsum", einsum},
                                                      {"_pack_axes", pack_axes},
                                                      {"_shape_axes", shape_axes},
                                                      {"_groups", groups},
                                                      {"_check", check_pattern}};
  for (const auto& [name, function] : functions) add_function(*einops, name, function);
  const auto error = make_type("EinopsError");
  const auto& above = evaluator.type("RuntimeError")->order;
  error->order.insert(error->order.end(), above.begin(), above.end());
  evaluator.add_type(error);
  einops->names->set("EinopsError", error);
  evaluator.add_module("einops", einops);
  // `from einops.einops import rearrange` works in Python as well.
  evaluator.add_module("einops.einops", einops);
  const auto layers = make_namespace("einops.layers");
  einops->names->set("layers", layers);
  evaluator.add_module("einops.layers", layers);
  // Compilation by torch.compile, which the function prepares, does not happen here.
  const auto specific = make_namespace("einops._torch_specific");
  add_function(*specific, "allow_ops_in_compiled_graph", nothing);
  evaluator.add_module("einops._torch_specific", specific);
}

}  // namespace knead::engine::model
