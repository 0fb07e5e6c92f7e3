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
#include "runner/engine/tensor/named_tensor.h"
#include "schema/document/source.h"

namespace knead::engine::model {

/// A parameter of forward, without self.
struct Input {
  std::string name;
  std::optional<c10::IValue> fallback;  // its default; none: it must be given
};

/// A buffer of the module. Those that are not persistent are state of a run, but belong to no file
/// of weights.
struct Buffer {
  std::string name;
  at::Tensor tensor;
  bool persistent = true;
};

/// A second name of a tensor: tied weights. Files hold `of`, and say in their metadata that `name`
/// is the same.
struct Alias {
  std::string name;
  std::string of;
};

/// What the loop trains: a TorchScript module, whether it was compiled from source or loaded from
/// an archive. One thread at a time.
class Model {
 public:
  struct Parts;  // the module itself: scripted.h, for those who see TorchScript
  explicit Model(std::unique_ptr<Parts> parts);
  ~Model();

  /// Each tensor once, under its first name, in the order of registration. The tensors are the
  /// module's own.
  const NamedTensors& parameters() const;

  /// The tensors that the buffers hold now: a method may have put new ones there.
  const std::vector<Buffer>& buffers() const;
  const std::vector<Alias>& aliases() const;

  /// What methods change besides parameters and buffers, for a checkpoint. set_attributes() comes
  /// after the weights are read: tensors that lists share with them are shared again. Throws
  /// knead::Error where these are another model's.
  Attributes attributes() const;
  void set_attributes(const Attributes& attributes);

  /// Buffers and attributes as they are now, to be put back in this process.
  Backup backup() const;

  const std::vector<Input>& inputs() const;

  /// The files that it was compiled from, the user's with their paths, then the layers; none for an
  /// archive.
  const std::vector<std::shared_ptr<const schema::Source>>& sources() const;

  /// What a person should know before training it, as sentences: what an archive has fixed.
  const std::vector<std::string>& warnings() const;

  /// The modules that it is made of.
  std::vector<ModuleFacts> modules() const;

  /// Tells `watcher` of every call of a module within forward, from now on: what is computed stays
  /// the same. Before the first forward; one model of a process at a time.
  void watch(Watcher& watcher);

  /// Calls of these modules keep nothing of what is within them for backward, from now on: it is
  /// computed once more there, and all numbers stay the same. Of modules within each other the
  /// outer one counts. Before the first forward; one model of a process at a time.
  void recompute(const std::vector<std::string>& paths);

  /// Runs forward. Throws knead::Error where the model cannot take these inputs: a
  /// syntax::Refusal at the line of the user's file if it was compiled from source, else with the
  /// line that the archive names.
  c10::IValue forward(std::vector<c10::IValue> inputs);

  /// Where forward's value is made, for messages about it; nothing for an archive.
  const schema::Place& returns_at() const;

  /// Runs a backward pass of this loss. Throws knead::Error where no parameter would learn from it,
  /// and for what went wrong in the pass.
  void backward(const at::Tensor& loss, const std::function<void()>& pass) const;

  /// Train mode or evaluation mode, for all submodules.
  void train(bool on);

  /// Writes a TorchScript archive that torch.jit.load reads.
  void save(std::ostream& out) const;

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace knead::engine::model
