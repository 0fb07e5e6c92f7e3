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

/// The TorchScript module of a model with the lists that are derived from it.
struct Model::Parts {
  torch::jit::Module module;
  std::vector<std::shared_ptr<const schema::Source>> sources;  // empty for an archive
  std::vector<std::string> warnings;                           // sentences
  std::map<std::string, ModuleKind> kinds;                     // by path; empty for an archive

  NamedTensors parameters;
  std::vector<Buffer> buffers;
  /// The object and slot that hold each buffer, in the order of `buffers`.
  std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, std::size_t>> buffer_slots;
  std::vector<Alias> aliases;
  std::vector<Input> inputs;

  /// The location of an attribute that methods change and that is neither parameter nor buffer.
  struct AttributePlace {
    std::string name;
    c10::intrusive_ptr<c10::ivalue::Object> object;
    std::size_t slot;
    c10::TypePtr type;
  };
  std::vector<AttributePlace> attributes;
  schema::Place returns_at;
  Watcher* watcher = nullptr;  // of Model::watch()
  bool recomputes = false;     // graphs hold knead::call nodes, which archives must not contain
};

/// Returns whether an attribute of a class is a tensor of a module: a parameter (TorchScript types
/// a bias of a convolution as optional), a buffer, or any plain tensor.
bool is_weight(const c10::ClassType& type, std::size_t slot);

/// Returns the attributes of a module and its submodules that methods can change, without
/// parameters and buffers.
std::vector<Model::Parts::AttributePlace> find_attributes(const torch::jit::Module& module);

/// Lists the tensors of a module and the parameters of its forward. A tensor that its class marks
/// neither as parameter nor as buffer becomes a non-persistent buffer, because TorchScript has no
/// such mark.
std::unique_ptr<Model::Parts> take_apart(torch::jit::Module module);

/// Returns a model of a module that was compiled or loaded, without sources and warnings.
std::unique_ptr<Model> as_model(torch::jit::Module module);

}  // namespace knead::engine::model
