#include "runner/engine/model/python/evaluator/layers.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "runner/engine/model/python/evaluator/native.h"
#include "runner/syntax/layer_texts.h"
#include "runner/syntax/parse.h"

namespace knead::engine::model {

namespace {

/// A layer file as embedded when the engine was built.
struct LayerText {
  const char* module;
  const char* name;  // the name in messages
  std::string_view text;
};

/// A library of layers, and the names under which its modules are imported. Each of them holds all
/// names of the file.
struct Library {
  LayerText layer;
  std::vector<const char*> modules;
};

using Parsed = std::shared_ptr<const syntax::File>;

/// Holds the layers that keep_layers() has parsed, by their module.
std::map<std::string, Parsed>& kept_layers() {
  static std::map<std::string, Parsed> all;
  return all;
}

Parsed parsed(const LayerText& layer) {
  const auto kept = kept_layers().find(layer.module);
  if (kept != kept_layers().end()) return kept->second;
  return syntax::parse(std::make_shared<schema::Source>(layer.name, "", std::string(layer.text)));
}

/// Returns the files of torch.nn. Each needs those before it.
const std::vector<LayerText>& layer_files() {
  static const std::vector<LayerText> all{
      {"torch.nn.functional", "models/layers/functional.py", syntax::functional_text},
      {"torch.nn.init", "models/layers/init.py", syntax::init_text},
      {"torch.nn", "models/layers/nn.py", syntax::nn_text}};
  return all;
}

const std::vector<Library>& libraries() {
  static const std::vector<Library> all{
      {{"torch.nn.utils", "models/layers/utils.py", syntax::utils_text},
       {"torch.nn.utils", "torch.nn.utils.weight_norm", "torch.nn.utils.spectral_norm",
        "torch.nn.utils.parametrize", "torch.nn.utils.parametrizations"}},
      {{"timm", "models/layers/timm.py", syntax::timm_text},
       {"timm.layers", "timm.layers.mlp", "timm.layers.drop", "timm.layers.helpers",
        "timm.layers.patch_embed", "timm.layers.weight_init", "timm.layers.trace_utils",
        "timm.models.layers", "timm.models.layers.drop", "timm.models.layers.mlp", "timm.models",
        "timm.models.registry", "timm.data", "timm.models.layers.helpers",
        "timm.models.layers.weight_init", "timm.models.vision_transformer"}},
      {{"argparse", "models/layers/argparse.py", syntax::argparse_text}, {"argparse"}},
      {{"collections", "models/layers/containers.py", syntax::containers_text}, {"collections"}},
      {{"operator", "models/layers/operators.py", syntax::operators_text}, {"operator"}},
      {{"queue", "models/layers/queues.py", syntax::queues_text}, {"queue"}},
      {{"huggingface_hub", "models/layers/hub.py", syntax::hub_text},
       {"huggingface_hub", "huggingface_hub.hub_mixin"}},
      {{"torch.autograd", "models/layers/autograd.py", syntax::autograd_text},
       {"torch.autograd", "torch.autograd.function", "torch.autograd.variable"}},
      {{"torch.distributions", "models/layers/distributions.py", syntax::distributions_text},
       {"torch.distributions", "torch.distributions.normal", "torch.distributions.bernoulli",
        "torch.distributions.categorical", "torch.distributions.one_hot_categorical",
        "torch.distributions.uniform", "torch.distributions.kl",
        "torch.distributions.distribution"}},
      {{"torch.optim", "models/layers/optim.py", syntax::optim_text}, {"torch.optim"}},
      {{"torchvision", "models/layers/torchvision.py", syntax::torchvision_text},
       {"torchvision.ops", "torchvision.ops.misc", "torchvision.ops.stochastic_depth"}},
      {{"torchvision.models", "models/layers/vision.py", syntax::vision_text},
       {"torchvision.models", "torchvision.models.resnet", "torchvision.models.alexnet",
        "torchvision.models.vgg", "torchvision.models.mobilenet", "torchvision.models.mobilenetv2",
        "torchvision.models.densenet"}},
      {{"contextlib", "models/layers/contexts.py", syntax::contexts_text}, {"contextlib"}},
      {{"threading", "models/layers/threads.py", syntax::threads_text}, {"threading"}},
      {{"string", "models/layers/characters.py", syntax::characters_text}, {"string"}},
      {{"random", "models/layers/random_numbers.py", syntax::random_numbers_text}, {"random"}},
      {{"re", "models/layers/expressions.py", syntax::expressions_text}, {"re"}},
      {{"torch.amp", "models/layers/amp.py", syntax::amp_text},
       {"torch.amp", "torch.amp.autocast_mode", "torch.cuda.amp", "torch.cuda.amp.autocast_mode",
        "torch.cpu.amp"}},
      {{"torch.distributed", "models/layers/distributed.py", syntax::distributed_text},
       {"torch.distributed"}},
      {{"torch.nn.attention", "models/layers/attention.py", syntax::attention_text},
       {"torch.nn.attention"}}};
  return all;
}

/// Registers the modules of a library. The names of torch.nn.utils and of its submodules differ:
/// `parametrizations.weight_norm` is another function than `weight_norm`.
void add_modules(Evaluator& evaluator, const Library& library, const FileValues& file) {
  for (const char* module : library.modules) {
    const auto names = make_namespace(module);
    names->names = file.globals;
    const std::string_view device = std::string_view(module).substr(0, 11);
    if (device == "torch.cuda." || device == "torch.cpu.a") {
      // Their autocast takes no device.
      names->names = std::make_shared<Scope>(*file.globals);
      names->names->set("autocast", *file.globals->find(device == "torch.cuda." ? "_cuda_autocast"
                                                                                : "_cpu_autocast"));
    }
    if (std::string_view(module) == "torch.nn.utils.parametrizations") {
      names->names = std::make_shared<Scope>();
      for (const char* name : {"weight_norm", "spectral_norm"}) {
        const Value* found = file.globals->find(std::string("_parametrized_") + name);
        names->names->set(name, *found);
      }
    }
    evaluator.add_module(module, names);
  }
}

}  // namespace

void keep_layers() {
  for (const LayerText& layer : layer_files()) kept_layers()[layer.module] = parsed(layer);
}

void load_layers(Evaluator& evaluator) {
  const auto nn = evaluator.module("torch.nn");
  for (const LayerText& layer : layer_files()) {
    const std::string name(layer.module);
    // torch.nn has built-in names already (Module, the containers), so those of its file are added
    // to them.
    if (name == "torch.nn") {
      const FileValues& file = evaluator.run(parsed(layer), name);
      for (const auto& [id, value] : file.globals->names) nn->names->set(id, value);
      continue;
    }
    const auto names = make_namespace(name);
    evaluator.add_module(name, names);
    nn->names->set(name.substr(name.rfind('.') + 1), names);
    evaluator.run(parsed(layer), name, names->names);
  }
  // PyTorch has its layers also in torch.nn.modules and in the files below it.
  for (const char* part :
       {"",          ".activation", ".adaptive",      ".batchnorm",  ".container",    ".conv",
        ".distance", ".dropout",    ".flatten",       ".fold",       ".instancenorm", ".linear",
        ".loss",     ".module",     ".normalization", ".padding",    ".pixelshuffle", ".pooling",
        ".rnn",      ".sparse",     ".transformer",   ".upsampling", ".utils"}) {
    const std::string name = std::string("torch.nn.modules") + part;
    const auto names = make_namespace(name);
    names->names = nn->names;
    evaluator.add_module(name, names);
  }
  for (const char* name : {"torch.nn.parameter", "torch.nn.common_types"}) {
    const auto names = make_namespace(name);
    names->names = nn->names;
    evaluator.add_module(name, names);
  }
}

std::shared_ptr<Namespace> load_library(Evaluator& evaluator, const std::string& module) {
  for (const Library& library : libraries()) {
    const auto& modules = library.modules;
    if (std::find(modules.begin(), modules.end(), module) == modules.end()) continue;
    evaluator.module("torch");
    const FileValues& file = evaluator.run(parsed(library.layer), library.layer.module);
    add_modules(evaluator, library, file);
    return evaluator.module(module);
  }
  return nullptr;
}

void load_einops(Evaluator& evaluator) {
  const auto add = [&](const LayerText& layer, const std::shared_ptr<Namespace>& names) {
    const FileValues& file = evaluator.run(parsed(layer), layer.module);
    for (const auto& [id, value] : file.globals->names) names->names->set(id, value);
  };
  // The functions of the file join those that are built in.
  add({"einops.functions", "models/layers/einops.py", syntax::einops_text},
      evaluator.module("einops"));
  const auto layers = make_namespace("einops.layers.torch");
  add({"einops.layers.torch", "models/layers/einops_layers.py", syntax::einops_layers_text},
      layers);
  evaluator.add_module("einops.layers.torch", layers);
  evaluator.module("einops.layers")->names->set("torch", layers);
}

}  // namespace knead::engine::model
