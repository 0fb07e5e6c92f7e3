#include "runner/engine/model/python/evaluator/layers.h"

#include <algorithm>
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

std::shared_ptr<const syntax::File> parsed(const LayerText& layer) {
  return syntax::parse(std::make_shared<schema::Source>(layer.name, "", std::string(layer.text)));
}

const std::vector<Library>& libraries() {
  static const std::vector<Library> all{
      {{"torch.nn.utils", "models/layers/utils.py", syntax::utils_text},
       {"torch.nn.utils", "torch.nn.utils.weight_norm", "torch.nn.utils.spectral_norm",
        "torch.nn.utils.parametrize", "torch.nn.utils.parametrizations"}},
      {{"timm", "models/layers/timm.py", syntax::timm_text},
       {"timm.layers", "timm.models.layers", "timm.models.layers.drop",
        "timm.models.layers.helpers", "timm.models.layers.weight_init",
        "timm.models.vision_transformer"}},
      {{"argparse", "models/layers/argparse.py", syntax::argparse_text}, {"argparse"}},
      {{"torchvision", "models/layers/torchvision.py", syntax::torchvision_text},
       {"torchvision.ops", "torchvision.ops.misc", "torchvision.ops.stochastic_depth"}}};
  return all;
}

/// Registers the modules of a library. The names of torch.nn.utils and of its submodules differ:
/// `parametrizations.weight_norm` is another function than `weight_norm`.
void add_modules(Evaluator& evaluator, const Library& library, const FileValues& file) {
  for (const char* module : library.modules) {
    const auto names = make_namespace(module);
    names->names = file.globals;
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

void load_layers(Evaluator& evaluator) {
  const auto nn = evaluator.module("torch.nn");
  // Each file needs those before it.
  const LayerText layers[] = {
      {"torch.nn.functional", "models/layers/functional.py", syntax::functional_text},
      {"torch.nn.init", "models/layers/init.py", syntax::init_text},
      {"torch.nn", "models/layers/nn.py", syntax::nn_text}};
  for (const LayerText& layer : layers) {
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
