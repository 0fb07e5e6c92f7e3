#include "runner/syntax/names/absent_modules.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "schema/document/suggest.h"

namespace knead::syntax {

std::string known_module(const std::string& module) {
  static constexpr const char* kLayers =
      "write its layers in this file; or give a TorchScript archive of it: model.archive";
  static constexpr const char* kTrainer =
      "write nn.Module: how a model is trained is said in the recipe";
  static constexpr const char* kFiles =
      "a model cannot touch files: weights come in by the recipe's `init`, numbers stand in the "
      "file";
  static constexpr const char* kPrecision = "take this out: the recipe has precision: bf16";
  static constexpr const char* kComplex = "write torch.complex(real, imaginary)";
  static constexpr const char* kGenerator =
      "write np.random.RandomState(0), which draws the numbers of np.random.seed(0)";
  static const std::map<std::string_view, const char*> known = {
      {"numpy", "write it with torch"},
      {"numpy.fft", "write it with torch.fft"},
      {"numpy.load", kFiles},
      {"numpy.loadtxt", kFiles},
      {"numpy.genfromtxt", kFiles},
      {"numpy.fromfile", kFiles},
      {"numpy.save", "take this out: a model cannot touch files"},
      {"numpy.complex64", kComplex},
      {"numpy.complex128", kComplex},
      {"numpy.random.default_rng", kGenerator},
      {"numpy.random.Generator", kGenerator},
      {"numpy.random.get_state", kGenerator},
      {"numpy.float", "NumPy removed it: write float, or np.float64"},
      {"numpy.int", "NumPy removed it: write int, or np.int64"},
      {"numpy.object", "write a list"},
      {"numpy.str_", "write a list of texts"},
      {"numpy.object_", "write a list"},
      {"numpy.matrix", "write np.array"},
      {"numpy.vectorize", "write np.array([f(x) for x in …])"},
      {"scipy", "write it with torch"},
      {"torchvision", kLayers},
      {"timm", kLayers},
      {"transformers", kLayers},
      {"pytorch_lightning", kTrainer},
      {"lightning", kTrainer},
      {"os", kFiles},
      {"json", kFiles},
      {"pickle", kFiles},
      {"time", "a model does not know the time: take this out"},
      {"random", "draw the numbers with torch: the recipe's seed says which numbers those are"},
      {"torch.optim", "take this out: the recipe's optimizer trains the model"},
      {"torch.amp", kPrecision},
      {"torch.cuda.amp", kPrecision},
      {"torch.autocast", kPrecision},
      {"torch.utils.checkpoint",
       "call the module itself: the recipe's activation_checkpointing saves the memory"},
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
  static constexpr std::string_view kGiven[] = {"torch",       "math", "typing",
                                                "dataclasses", "copy", "numpy"};
  const std::string root = module.substr(0, module.find('.'));
  const bool is_given = std::find(std::begin(kGiven), std::end(kGiven), root) != std::end(kGiven);
  // A module of NumPy was known above; torch exists, so a missing torch.x is a part that is left
  // out and not a misspelt module.
  if (is_given && root != module) return "the language of models leaves this out";
  const std::string near = schema::did_you_mean(root, {std::begin(kGiven), std::end(kGiven)});
  return near.empty() ? "a model is built from torch, math and its own files" : near;
}

}  // namespace knead::syntax
