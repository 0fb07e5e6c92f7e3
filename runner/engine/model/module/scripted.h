#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <torch/csrc/jit/api/module.h>

#include "runner/engine/model/module/model.h"
#include "schema/document/source.h"

namespace knead::engine::model {

struct Model::Parts {
  torch::jit::Module module;
  std::vector<std::shared_ptr<const schema::Source>> sources;  // the files it was compiled from
  std::vector<std::string> warnings;                           // sentences
  std::map<std::string, ModuleKind> kinds;                     // by path, as the source says

  NamedTensors parameters;
  std::vector<Buffer> buffers;
  std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, std::size_t>> buffer_slots;
  std::vector<Alias> aliases;
  std::vector<Input> inputs;

  /// Where a module keeps something that is no tensor and that its methods change.
  struct AttributePlace {
    std::string name;
    c10::intrusive_ptr<c10::ivalue::Object> object;
    std::size_t slot;
    c10::TypePtr type;
  };
  std::vector<AttributePlace> attributes;
  schema::Place returns_at;
  bool recomputes = false;  // its graphs hold calls that only run in this process
};

/// Whether an attribute of a class is a tensor that belongs to a module: a parameter, which
/// TorchScript types as one that may be absent in a convolution, a buffer, or any plain tensor.
bool is_weight(const c10::ClassType& type, std::size_t slot);

std::vector<Model::Parts::AttributePlace> find_attributes(const torch::jit::Module& module);

/// What a model is made of, with the lists of the module's tensors and the parameters of its
/// forward. A tensor that is neither parameter nor buffer of its class is a buffer that is not
/// persistent: TorchScript has no other word for it.
std::unique_ptr<Model::Parts> take_apart(torch::jit::Module module);

/// A module that was compiled or loaded, with nothing else to say about it.
std::unique_ptr<Model> as_model(torch::jit::Module module);

}  // namespace knead::engine::model
