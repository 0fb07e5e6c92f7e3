#include "runner/engine/model/python/evaluator/layers.h"

#include <string_view>

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

std::shared_ptr<const syntax::File> parsed(const LayerText& layer) {
  return syntax::parse(std::make_shared<schema::Source>(layer.name, "", std::string(layer.text)));
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
