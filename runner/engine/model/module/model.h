#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/ivalue.h>

#include "runner/engine/model/module/anatomy.h"
#include "runner/engine/model/module/attributes.h"
#include "runner/engine/model/module/backup.h"
#include "runner/engine/model/module/unit_calls.h"
#include "runner/engine/tensor/named_tensor.h"
#include "schema/document/source.h"

namespace knead::engine::model {

/// A parameter of forward; self is not listed. The recipe feeds it by this name.
struct Input {
  std::string name;
  std::optional<c10::IValue> fallback;  // the default; std::nullopt if required
  std::string type = "";                // as Python writes it: "Optional[List[Tensor]]"
};

/// A buffer of the module, by dotted name. Non-persistent buffers belong to a checkpoint but not to
/// a file of weights.
struct Buffer {
  std::string name;
  at::Tensor tensor;
  bool persistent = true;
};

/// A second name of a tensor (tied weights). Files hold the tensor under the name `of`, which is
/// the first one, and record the alias in their metadata.
struct Alias {
  std::string name;
  std::string of;
};

/// Names the submodules whose mode is not that of the model, because classes have train() or eval()
/// of their own, as those that keep a frozen part in evaluation.
struct ContraryModes {
  std::vector<std::string> in_training;    // these evaluate while the model trains
  std::vector<std::string> in_evaluation;  // these train while the model is evaluated
};

/// A TorchScript module for training, compiled from source or loaded from an archive: the only kind
/// of model that the loop knows. Not thread-safe: one thread at a time, except that LibTorch may
/// compute gradients on threads of its own.
///
/// The lists of parameters, buffers, aliases and inputs are made once and do not change; the
/// tensors in them are those of the module, so optimizers change them in place. watch() and
/// recompute() change the compiled code and must precede the first forward.
class Model {
 public:
  struct Parts;  // the TorchScript module; defined in scripted.h
  explicit Model(std::unique_ptr<Parts> parts);
  ~Model();

  /// Returns each parameter once, under its first name, in the order of registration. The tensors
  /// are those of the module.
  const NamedTensors& parameters() const;

  /// Returns the current tensors of the buffers, which methods may replace: the tensors in the list
  /// are valid until the next forward or buffers().
  const std::vector<Buffer>& buffers() const;
  /// Returns the second names of parameters and buffers.
  const std::vector<Alias>& aliases() const;

  /// Reads and sets the state for a checkpoint that is neither parameter nor buffer.
  /// set_attributes() must follow the loading of weights, so that lists share tensors with them
  /// again. It throws knead::Error if an attribute or a tensor is missing or an attribute has
  /// another type, because the attributes belong to another model. Earlier ones may be set by then.
  Attributes attributes() const;
  void set_attributes(const Attributes& attributes);

  /// Returns a backup of the buffers and attributes, valid in this process. Empty and without cost
  /// if the model has neither.
  Backup backup() const;

  /// Returns the parameters of forward in order.
  const std::vector<Input>& inputs() const;

  /// Returns the source files: those of the user with their paths and the layer files; empty for an
  /// archive.
  const std::vector<std::shared_ptr<const schema::Source>>& sources() const;

  /// Returns warnings for the user as sentences, for example that an archive fixes dropout to one
  /// mode.
  const std::vector<std::string>& warnings() const;

  /// Returns whether forward is interpreted, because it cannot be compiled: its mistakes show when
  /// it runs.
  bool is_interpreted() const;

  /// Returns the modules of the model in pre-order. Computed at each call.
  std::vector<ModuleFacts> modules() const;

  /// Reports every later call of forward and of a module within it to `watcher`; results do not
  /// change. Must be called before the first forward, for at most one model of a process at a time;
  /// `watcher` must outlive the calls.
  void watch(Watcher& watcher);

  /// Enables activation checkpointing for the modules at `paths`: their calls save no activations
  /// and are computed again in backward, with equal numbers. Each path must name a submodule in
  /// modules(). Of nested modules the outer one counts. Must be called before the first forward,
  /// for at most one model of a process at a time. See segment.h.
  void recompute(const std::vector<std::string>& paths);

  /// Makes the modules at `paths` units, numbered from 1 in this order, and all else unit 0:
  /// `calls` is told when forward and backward need the weights of a unit. Each path must name a
  /// submodule in modules(), none within another. Must be called before the first forward, for at
  /// most one model of a process at a time. Throws knead::Error if code outside of a unit uses what
  /// is in it without calling it, and syntax::Refusal for a model that is not compiled.
  void divide(const std::vector<std::string>& paths, std::shared_ptr<UnitCalls> calls);

  /// Makes the code that forward() runs. The first call of forward() does this otherwise.
  void prepare();

  /// Runs forward with one value for each of inputs(), in order; an absent one at the end takes its
  /// default. Throws knead::Error if the model cannot take these inputs: syntax::Refusal at the
  /// user's line if it was compiled from source, otherwise with the line that the archive names.
  /// Throws OutOfMemory if memory is short. To explain an error, it runs forward a second time
  /// under observation, so buffers may change twice.
  c10::IValue forward(std::vector<c10::IValue> inputs);

  /// Returns the place of the return of forward, for messages about its value; empty for an
  /// archive.
  const schema::Place& returns_at() const;

  /// Runs `pass`, a backward pass of `loss`, and explains its errors. Throws knead::Error if `loss`
  /// does not depend on a parameter or the pass fails, OutOfMemory if memory is short. `pass` is
  /// not called in the first case.
  void backward(const at::Tensor& loss, const std::function<void()>& pass) const;

  /// Sets train mode or evaluation mode for all submodules but those that keep_modes() names.
  void train(bool on);

  /// Makes later calls of train() leave some submodules in the other mode, and calls train(true).
  void keep_modes(const ContraryModes& modes);

  /// Writes a TorchScript archive that torch.jit.load reads. Activation checkpointing is left out
  /// of it. Not to be called after watch(), whose operators only this process has. Throws as
  /// check_archive().
  void save(std::ostream& out) const;
  /// Throws knead::Error for a model that no archive can hold, because it applies a
  /// torch.autograd.Function.
  void check_archive() const;

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace knead::engine::model
