#include "runner/engine/model/module/archive.h"

#include <memory>
#include <set>
#include <string>
#include <utility>

#include <torch/csrc/jit/serialization/import.h>

#include "runner/engine/device/start.h"
#include "runner/engine/model/explain/trace.h"
#include "runner/engine/model/module/archive_bytes.h"
#include "runner/engine/model/module/archive_check.h"
#include "runner/engine/model/module/scripted.h"
#include "runner/engine/model/values/shown.h"
#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

using torch::jit::Module;

constexpr const char* kHowToMake = "make one in Python: torch.jit.script(model).save(\"model.pt\")";

/// Throws the reason why LibTorch cannot read a file, in plain words for known reasons.
[[noreturn]] void refuse_archive(const std::string& name, const std::string& reason) {
  if (reason.find("constants.pkl") != reason.npos) {
    throw Error(name + " holds weights or a pickled model, not a TorchScript archive", kHowToMake);
  }
  if (reason.find("zip archive") != reason.npos) {
    throw Error(name + " is no TorchScript archive", kHowToMake);
  }
  throw Error(name + " cannot be loaded: " + reason, kHowToMake);
}

Module load(const std::string& bytes, const std::string& name) {
  try {
    check_contents(bytes, name);
    return torch::jit::load(std::make_shared<ArchiveBytes>(bytes), at::Device(at::kCPU));
  } catch (const Error&) {
    throw;
  } catch (const c10::Error& error) {
    refuse_archive(name, first_sentence(error.what_without_backtrace()));
  } catch (const std::exception& error) {
    refuse_archive(name, first_sentence(error.what()));
  }
}

/// Adds operators whose argument `train` or `training` is a constant and which therefore behave the
/// same in training and evaluation, as after tracing.
void find_fixed(const torch::jit::Block* block, std::set<std::string>& found) {
  for (const torch::jit::Node* node : block->nodes()) {
    for (const torch::jit::Block* inner : node->blocks()) find_fixed(inner, found);
    const auto* schema = node->maybeSchema();
    if (schema == nullptr) continue;
    for (const char* name : {"train", "training"}) {
      const auto index = schema->argumentIndexWithName(name);
      // In a scripted module the argument is the attribute self.training and not a constant.
      if (index && node->input(*index)->node()->kind() == c10::prim::Constant) {
        found.insert(node->kind().toUnqualString());
      }
    }
  }
}

/// Returns one warning for each kind of operator that is fixed to one mode.
std::vector<std::string> warnings_of(const Module& module, const std::string& name) {
  std::set<std::string> found;
  for (const Module& part : module.modules()) {
    for (const auto& method : part.get_methods()) find_fixed(method.graph()->block(), found);
  }
  std::vector<std::string> warnings;
  for (const std::string& operation : found) {
    warnings.push_back(name + ": " + operation +
                       " does the same in training and in evaluation: the module was traced; "
                       "torch.jit.script keeps the difference");
  }
  return warnings;
}

}  // namespace

std::unique_ptr<Model> load_archive(const std::string& bytes, const std::string& name) {
  show_what_models_print(show_of_model);
  Module module = load(bytes, name);
  check_methods(module, name);
  if (!module.find_method("forward")) {
    throw Error(name + " holds a module without forward", kHowToMake);
  }
  auto parts = take_apart(module);
  if (parts->parameters.empty()) {
    throw Error(name + " has no parameters to train: it was frozen, or made for inference",
                "save it before torch.jit.freeze, while it is in training mode");
  }
  parts->warnings = warnings_of(module, name);
  return std::make_unique<Model>(std::move(parts));
}

}  // namespace knead::engine::model
