#include <set>

#include <ATen/Context.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/operators/model_device.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

Value no(Evaluator&, const Arguments&) { return false; }
Value without_effect(Evaluator&, const Arguments&) { return None{}; }
Value zero_devices(Evaluator&, const Arguments&) { return make_integer(0); }

/// Implements a decorator without effect, with and without arguments: @torch.jit.ignore and
/// @torch.jit.ignore().
Value first_argument(Evaluator&, const Arguments& arguments) {
  if (!arguments.positional.empty()) return arguments.positional[0];
  return make_builtin("decorator", [](Evaluator& evaluator, const Arguments& given, syntax::Range) {
    return first_argument(evaluator, given);
  });
}

/// Refuses a cast to another precision on the device on which the model computes. Layer files alone
/// know the name.
Value expect_other_device(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("_expect_other_device", arguments, {"device_type"}, 1);
  const std::string& type = to_text(bound[0], "device_type");
  if (c10::DeviceTypeName(compute_device().type(), /*lower_case=*/true) != type) return None{};
  throw Mistake("a model does not choose its precision", "say it in the recipe: precision: bf16");
}

/// Lets LibTorch choose from some kernels of attention, by the numbers of SDPBackend, and returns
/// those that it chose from before. Layer files alone know the name.
Value choose_kernels(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("_choose_kernels", arguments, {"backends"}, 1);
  std::set<std::int64_t> wanted;
  for (const Value& one : evaluator.items(bound[0])) wanted.insert(to_integer(one));
  at::Context& context = at::globalContext();
  Values before;
  const auto choose = [&](std::int64_t number, bool was, void (at::Context::*set)(bool)) {
    if (was) before.push_back(number);
    (context.*set)(wanted.contains(number));
  };
  choose(0, context.userEnabledMathSDP(), &at::Context::setSDPUseMath);
  choose(1, context.userEnabledFlashSDP(), &at::Context::setSDPUseFlash);
  choose(2, context.userEnabledMemEfficientSDP(), &at::Context::setSDPUseMemEfficient);
  choose(3, context.userEnabledCuDNNSDP(), &at::Context::setSDPUseCuDNN);
  return make_list(std::move(before));
}

}  // namespace

void add_modules_of_torch(Evaluator& evaluator, Namespace& torch) {
  add_custom_gradients(evaluator);
  add_function(evaluator, "_expect_other_device", expect_other_device);
  add_function(evaluator, "_choose_kernels", choose_kernels);
  const auto add = [&](const std::string& name) {
    auto names = make_namespace("torch." + name);
    evaluator.add_module("torch." + name, names);
    torch.names->set(name, names);
    return names;
  };
  const auto cuda = add("cuda");
  add_function(*cuda, "is_available", no);
  // The recipe chooses the device and the seed.
  for (const char* name : {"manual_seed", "manual_seed_all", "empty_cache", "synchronize"})
    add_function(*cuda, name, without_effect);
  add_function(*cuda, "device_count", zero_devices);
  const auto backends = add("backends");
  for (const char* name : {"cudnn", "cuda", "mps"}) {
    const auto backend = add(std::string("backends.") + name);
    add_function(*backend, "is_available", no);
    backends->names->set(name, backend);
  }
  for (const char* name : {"linalg", "fft", "special"}) {
    const auto names = add(name);
    names->has_operators = true;
    names->operator_prefix = std::string(name) + "_";
  }
  const auto ops = add("ops");
  const auto aten = add("ops.aten");
  aten->has_operators = true;
  ops->names->set("aten", aten);
  // The sparse tensors that these functions are named after do not exist here.
  const Value product =
      make_builtin("torch.mm", [](Evaluator&, const Arguments& arguments, syntax::Range) {
        return call_operator("mm", arguments);
      });
  torch.names->set("spmm", product);
  add("sparse")->names->set("mm", product);
  const auto compiler = add("compiler");
  for (const char* name : {"is_compiling", "is_dynamo_compiling", "is_exporting"})
    add_function(*compiler, name, no);
  for (const char* name : {"disable", "allow_in_graph"})
    add_function(*compiler, name, first_argument);
  const auto jit = add("jit");
  for (const char* name :
       {"export", "script", "script_method", "script_if_tracing", "ignore", "unused"})
    add_function(*jit, name, first_argument);
  add_function(*jit, "is_scripting", no);
  add_function(*jit, "is_tracing", no);
  add_function(*jit, "annotate", [](Evaluator&, const Arguments& arguments) -> Value {
    return BoundArguments("annotate", arguments, {"the_type", "the_value"}, 2)[1];
  });
  // A ScriptModule is compiled where it is made; here all modules are.
  jit->names->set("ScriptModule", evaluator.type("Module"));
  // The first name of typing is Final.
  jit->names->set("Final", evaluator.module("typing")->names->names.front().second);
}

}  // namespace knead::engine::model
