#include "runner/engine/model/module/archive.h"

#include <memory>
#include <set>
#include <string>
#include <utility>

#include <caffe2/serialize/read_adapter_interface.h>
#include <torch/csrc/jit/serialization/import.h>

#include "runner/engine/model/explain/trace.h"
#include "runner/engine/model/module/scripted.h"
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

/// Gives LibTorch the bytes of a file. A read past the end returns fewer bytes, as from a file, so
/// that damaged archives are refused in the same words.
class Bytes final : public caffe2::serialize::ReadAdapterInterface {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::size_t size() const override { return bytes_.size(); }
  std::size_t read(std::uint64_t at, void* to, std::size_t count, const char*) const override {
    if (at >= bytes_.size()) return 0;
    return bytes_.copy(static_cast<char*>(to), count, at);
  }

 private:
  std::string bytes_;
};

Module load(std::string bytes, const std::string& name) {
  try {
    return torch::jit::load(std::make_shared<Bytes>(std::move(bytes)), at::Device(at::kCPU));
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

std::unique_ptr<Model> load_archive(std::string bytes, const std::string& name) {
  Module module = load(std::move(bytes), name);
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
