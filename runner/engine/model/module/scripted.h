#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <torch/csrc/jit/api/module.h>

#include "runner/engine/model/module/interpreter.h"
#include "runner/engine/model/module/model.h"
#include "schema/document/source.h"

namespace knead::engine::model {

/// The TorchScript module of a model with the lists that are derived from it. This header needs
/// those of TorchScript, so only files of engine/model include it.
struct Model::Parts {
  torch::jit::Module module;
  std::vector<std::shared_ptr<const schema::Source>> sources;  // empty for an archive
  std::vector<std::string> warnings;                           // sentences
  std::map<std::string, ModuleKind> kinds;                     // by path; empty for an archive

  NamedTensors parameters;
  std::vector<Buffer> buffers;
  /// The object and slot that hold each buffer, in the order of `buffers`; through them a buffer
  /// that a method replaced is found.
  std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, std::size_t>> buffer_slots;
  std::vector<Alias> aliases;
  std::vector<Input> inputs;

  /// The location of an attribute that methods change and that is neither parameter nor buffer. The
  /// name is dotted.
  struct AttributePlace {
    std::string name;
    c10::intrusive_ptr<c10::ivalue::Object> object;
    std::size_t slot;
    c10::TypePtr type;
  };
  std::vector<AttributePlace> attributes;
  /// Return of forward, for errors without a line of their own; empty for an archive.
  schema::Place returns_at;
  /// Runs forward if it is not compiled; null otherwise.
  std::shared_ptr<Interpreter> interpreter;
  /// The method forward of an interpreted model, which its class does not own.
  std::unique_ptr<torch::jit::Function> interpreted_forward;
  /// Runs forward of a compiled model once Model::prepare() has made it.
  std::unique_ptr<torch::jit::Function> inlined_forward;
  /// The modules of Model::keep_modes() that are contrary in evaluation, and in training.
  std::array<std::vector<torch::jit::Module>, 2> contrary;
  Watcher* watcher = nullptr;  // of Model::watch()
  bool has_own_calls = false;  // graphs hold knead::call nodes, which archives must not contain
  std::shared_ptr<UnitCalls> unit_calls;  // of Model::divide(); null otherwise
};

/// Returns whether an attribute of a class is a tensor of a module: a parameter (TorchScript types
/// a bias of a convolution as optional), a buffer, or any plain tensor. `slot` is the index of the
/// attribute.
bool is_weight(const c10::ClassType& type, std::size_t slot);

/// Returns the attributes of a module and its submodules that methods can change, without
/// parameters and buffers: those that a method assigns, and those whose content can change in
/// place, such as lists, dicts and optional tensors. Attributes of types that a checkpoint cannot
/// hold are left out.
std::vector<Model::Parts::AttributePlace> find_attributes(const torch::jit::Module& module);

/// Lists the tensors of a module and the parameters of its forward, which it must have. A tensor
/// that its class marks neither as parameter nor as buffer becomes a non-persistent buffer, because
/// TorchScript has no such mark.
std::unique_ptr<Model::Parts> take_apart(torch::jit::Module module);

/// Returns a model of a module that was compiled or loaded, without sources and warnings.
std::unique_ptr<Model> as_model(torch::jit::Module module);

}  // namespace knead::engine::model
