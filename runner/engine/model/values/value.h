#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

#include "runner/syntax/tree.h"

namespace knead::engine::model {

// The values of Python source while __init__ runs. As in Python, mutable values are shared: a Value
// holds a pointer to them.

struct List;
struct Tuple;
struct Dict;
struct Set;
struct Range;
struct Slice;
struct Iterator;
struct Function;
struct Builtin;
struct BoundMethod;
struct Namespace;
struct Class;
struct Object;
struct Super;

struct None {};
struct Ellipsis {};
struct Dtype {
  c10::ScalarType type;
};
struct Device {
  c10::Device device;
};

/// Any value of Python source. Types of mutable values are held by pointer.
using Value =
    std::variant<None, bool, std::int64_t, double, std::string, at::Tensor, Dtype, Device, Ellipsis,
                 std::shared_ptr<List>, std::shared_ptr<Tuple>, std::shared_ptr<Dict>,
                 std::shared_ptr<Set>, std::shared_ptr<Range>, std::shared_ptr<Slice>,
                 std::shared_ptr<Iterator>, std::shared_ptr<Function>, std::shared_ptr<Builtin>,
                 std::shared_ptr<BoundMethod>, std::shared_ptr<Namespace>, std::shared_ptr<Class>,
                 std::shared_ptr<Object>, std::shared_ptr<Super>>;

using Values = std::vector<Value>;
using NamedValues = std::vector<std::pair<std::string, Value>>;

/// Returns the value of a name in a list of pairs; null if the name is absent.
template <class Items>
auto* find_named(Items& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](const auto& item) { return item.first == name; });
  return found == items.end() ? nullptr : &found->second;
}

struct List {
  Values items;
};

struct Tuple {
  Values items;
};

/// A dict. Lookup is linear: Evaluator::find_key() compares keys with Python's ==.
struct Dict {
  std::vector<std::pair<Value, Value>> items;  // in the order of insertion
};

/// A set, or a view of a dict. Lookup is linear.
struct Set {
  Values items;          // distinct, in the order of insertion
  bool is_view = false;  // keys(), values(), items() of a dict: these have an order
};

/// A range of integers; `end` is excluded.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
};

/// A slice; absent parts are None.
struct Slice {
  Value begin, end, step;
};

/// An iterator, such as the result of zip, enumerate, a generator expression or parameters().
/// Yields each item once.
struct Iterator {
  std::string type;                            // "zip", "generator"
  std::function<std::optional<Value>()> next;  // std::nullopt at the end
};

/// The names of a file, a function call or a class body, in the order of definition.
struct Scope {
  NamedValues names;
  std::shared_ptr<Scope> outer;  // null for a file

  Value* find(std::string_view name);  // in this scope only
  void set(const std::string& name, Value value);
};

/// A source file: the user's file, a file that it imports, or a layer file.
struct FileValues {
  std::string module;  // "gpt", "torch.nn"
  std::shared_ptr<const syntax::File> file;
  std::shared_ptr<Scope> globals;
};

/// A function or a lambda. Exactly one of `definition` and `lambda` is set.
struct Function {
  std::string name;
  const FileValues* file = nullptr;
  const syntax::Function* definition = nullptr;  // null for a lambda
  const syntax::Lambda* lambda = nullptr;
  Values fallbacks;                // defaults, evaluated at the definition
  std::shared_ptr<Scope> closure;  // null at the top level of a file
  std::weak_ptr<Class> owner;      // the class that defines it
  bool no_grad = false;            // decorated with @torch.no_grad()
  enum class Kind { plain, static_, property, class_ } kind = Kind::plain;
};

/// The arguments of a call.
struct Arguments {
  Values positional;
  NamedValues named;
};

class Evaluator;

/// A function that C++ defines: len, math.sqrt, nn.Module.register_buffer, or an operator of
/// LibTorch.
struct Builtin {
  std::string name;  // qualified: "len", "math.sqrt", "torch.zeros"
  std::function<Value(Evaluator&, const Arguments&, syntax::Range)> call;
};

/// A method with the object that it is called on.
struct BoundMethod {
  Value self;
  Value function;  // Function or Builtin
};

/// A module of an import: torch, torch.nn.functional, math, or a file beside the model.
struct Namespace {
  std::string name;
  std::shared_ptr<Scope> names;
  bool has_operators = false;   // other names may be LibTorch operators
  std::string operator_prefix;  // "linalg_": torch.linalg.norm is the operator linalg_norm
  bool available = true;        // false if it does not exist; its use is an error
};

/// A field of a dataclass.
struct Field {
  std::string name;
  const syntax::Expression* annotation = nullptr;
  std::optional<Value> fallback;
  std::optional<Value> factory;  // called for each new object
};

/// A class of a file, or a built-in class.
struct Class {
  std::string name;
  const FileValues* file = nullptr;  // null for built-in classes
  const syntax::Class* definition = nullptr;
  std::vector<std::shared_ptr<Class>> order;  // method resolution order, itself first
  NamedValues members;                        // functions, properties, constants
  bool is_module = false;                     // derived from nn.Module
  bool is_dataclass = false;
  bool is_frozen = false;     // a dataclass whose fields cannot be assigned
  std::vector<Field> fields;  // of a dataclass; fields of bases first
  /// Makes an object of a built-in class; empty if __init__ makes it.
  std::function<Value(Evaluator&, const Arguments&, syntax::Range)> construct;
  enum class Container { none, sequential, list, dict, parameters } container = Container::none;

  const Value* find(std::string_view member) const;  // searches `order`
};

/// A registered tensor of a module: a parameter or a buffer.
struct Slot {
  std::string name;
  std::optional<at::Tensor> tensor;  // std::nullopt if registered as None
  bool persistent = true;            // for buffers
};

/// An instance of a class. The four lists are in the order of registration, as in nn.Module.
struct Object {
  std::shared_ptr<Class> type;
  std::vector<Slot> parameters;
  std::vector<Slot> buffers;
  /// Submodules by name; null if registered as None.
  std::vector<std::pair<std::string, std::shared_ptr<Object>>> modules;
  NamedValues attributes;              // everything else
  std::vector<std::string> annotated;  // attributes assigned with an annotation: mutable in methods
  bool training = true;
  bool ready = false;  // nn.Module.__init__ has run
};

/// The result of super(): gives access to the members that follow `after` in the order of the
/// class.
struct Super {
  Value self;  // an Object, or in a classmethod the Class
  std::shared_ptr<Class> after;
};

}  // namespace knead::engine::model
