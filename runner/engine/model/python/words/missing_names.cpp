#include "runner/engine/model/python/words/missing_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include <ATen/core/dispatch/Dispatcher.h>

#include "runner/engine/model/values/mistake.h"
#include "schema/document/regular_expression.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {

std::string known_module(const std::string& module) {
  static constexpr const char* kLayers =
      "write its layers in this file; or give a TorchScript archive of it: model.archive";
  static constexpr const char* kTrainer =
      "write nn.Module: how a model is trained is said in the recipe";
  static const std::map<std::string_view, const char*> known = {
      {"numpy", "write it with torch"},
      {"scipy", "write it with torch"},
      {"torchvision", kLayers},
      {"timm", kLayers},
      {"transformers", kLayers},
      {"pytorch_lightning", kTrainer},
      {"lightning", kTrainer},
      {"torch.optim", "take this out: the recipe's optimizer trains the model"},
      {"torch.utils", "take this out: the recipe's data say what is read"},
      {"torch.distributed", "take this out: knead starts the ranks"},
  };
  // The longest known prefix decides: "torch.optim.Adam" is found as torch.optim, "timm.layers" as
  // timm.
  for (std::size_t end = module.size(); end != module.npos && end > 0;
       end = module.rfind('.', end - 1)) {
    const auto found = known.find(std::string_view(module).substr(0, end));
    if (found != known.end()) return found->second;
  }
  return "";
}

std::string instead_of(const std::string& module) {
  if (const std::string known = known_module(module); !known.empty()) return known;
  static constexpr std::string_view kGiven[] = {"torch", "math", "typing", "dataclasses", "copy"};
  const std::string root = module.substr(0, module.find('.'));
  const bool is_given = std::find(std::begin(kGiven), std::end(kGiven), root) != std::end(kGiven);
  // torch exists, so a missing torch.x is a part that is left out and not a misspelt module.
  if (is_given && root != module) return "the language of models leaves this out";
  const std::string near = schema::did_you_mean(root, {std::begin(kGiven), std::end(kGiven)});
  return near.empty() ? "a model is built from torch, math and its own files" : near;
}

std::vector<std::string> operator_names() {
  std::set<std::string> names;
  for (const c10::OperatorName& one : c10::Dispatcher::singleton().getAllOpNames()) {
    if (one.name.starts_with("aten::") && one.name[6] != '_') names.insert(one.name.substr(6));
  }
  return {names.begin(), names.end()};
}

std::string remedy_for_missing_method(const std::string& message) {
  static const schema::RegularExpression kMissing(
      R"('Tensor' object has no attribute or method '(\w+)')");
  const auto found = kMissing.match(message);
  if (!found) return "";
  const std::string& name = (*found)[1];
  if (name == "numpy") return "numpy is not available to models: write it with torch";
  const auto names = operator_names();
  return schema::did_you_mean(name, {names.begin(), names.end()});
}

}  // namespace knead::engine::model
