#pragma once

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>

#include "runner/engine/model/lower/facts.h"
#include "runner/engine/model/module/interpreter.h"
#include "runner/engine/model/values/program.h"
#include "runner/engine/model/values/value.h"

namespace torch::jit {
struct Module;
}

namespace knead::engine::model {

/// The objects of an interpreted model next to its TorchScript modules, which hold the same tensors
/// and the mode. The modules must outlive this object, which refers to them without owning them.
class Modules {
 public:
  Modules(std::shared_ptr<Object> root, const torch::jit::Module& module, const Program& program);

  /// Gives the tensors and the mode of the modules to the objects, and takes them back: both sides
  /// may replace a tensor.
  void read_tensors();
  void write_tensors();

  /// Returns the device of the parameters; the CPU for a model without parameters.
  c10::Device device() const;

  /// Return the other side of a module; module_of() returns null for one that forward made.
  const Object& object_of(const c10::ivalue::Object& module) const { return *objects_.at(&module); }
  const c10::ivalue::Object* module_of(const Object& object) const;

  /// Returns whether all parameters of a module and of those below it are parameters of the model,
  /// also under other names.
  bool holds_parameters_of(const Object& module) const;

  /// Implement those of Interpreter.
  std::vector<Interpreter::Attribute> attributes() const;
  void set_attributes(const std::vector<Interpreter::Attribute>& attributes);

 private:
  /// A tensor that both sides have.
  struct Tie {
    Object* object;
    std::string name;
    c10::ivalue::Object* module;
    std::size_t slot;
  };
  /// A module with its dotted name. Forward may take the object out of its parent.
  struct Pair {
    std::string path;
    std::shared_ptr<Object> object;
    c10::ivalue::Object* module;
    std::size_t training;  // the slot of the mode
  };

  void add(const std::string& path, const std::shared_ptr<Object>& object,
           const torch::jit::Module& module);
  bool is_tied(const Object& object, const std::string& name) const;
  /// Returns whether a checkpoint needs an attribute: methods change it, and methods read it.
  bool is_state(const Object& object, const std::string& name, const Value& value) const;

  std::shared_ptr<Object> root_;
  Changes changes_;
  std::vector<Pair> pairs_;
  std::vector<Tie> ties_;
  std::set<std::pair<const Object*, std::string>> tied_;
  std::unordered_map<const void*, const Object*> objects_;
  std::unordered_map<const Object*, const c10::ivalue::Object*> modules_;
  std::set<std::string> read_;  // attributes that the files of the model read
  /// Values that __init__ left and that a checkpoint cannot hold, as texts of constant_text().
  std::map<std::pair<const Object*, std::string>, std::string> left_out_;
};

}  // namespace knead::engine::model
