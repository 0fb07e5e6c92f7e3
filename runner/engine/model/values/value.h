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

// The values that a model's source deals with while its __init__ runs. As in Python, everything
// that can change is shared: a Value holds a pointer to it.

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

using Value =
    std::variant<None, bool, std::int64_t, double, std::string, at::Tensor, Dtype, Device, Ellipsis,
                 std::shared_ptr<List>, std::shared_ptr<Tuple>, std::shared_ptr<Dict>,
                 std::shared_ptr<Set>, std::shared_ptr<Range>, std::shared_ptr<Slice>,
                 std::shared_ptr<Iterator>, std::shared_ptr<Function>, std::shared_ptr<Builtin>,
                 std::shared_ptr<BoundMethod>, std::shared_ptr<Namespace>, std::shared_ptr<Class>,
                 std::shared_ptr<Object>, std::shared_ptr<Super>>;

using Values = std::vector<Value>;
using NamedValues = std::vector<std::pair<std::string, Value>>;

/// The value under a name in a list of pairs; null if there is none.
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

struct Dict {
  std::vector<std::pair<Value, Value>> items;  // in the order of insertion
};

struct Set {
  Values items;          // distinct, in the order of insertion
  bool is_view = false;  // keys(), values(), items() of a dict: these have an order
};

struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
};

struct Slice {
  Value begin, end, step;
};

/// What zip, enumerate, map, a generator expression or parameters() give: each item once.
struct Iterator {
  std::string type;  // "zip", "generator"
  std::function<std::optional<Value>()> next;
};

/// The names of a file, a function call or a class body.
struct Scope {
  NamedValues names;
  std::shared_ptr<Scope> outer;  // null: a file

  Value* find(std::string_view name);  // in this scope only
  void set(const std::string& name, Value value);
};

/// A file of source: the user's, one that it imports, or one of the layers.
struct FileValues {
  std::string module;  // "gpt", "torch.nn"
  std::shared_ptr<const syntax::File> file;
  std::shared_ptr<Scope> globals;
};

/// A def or a lambda.
struct Function {
  std::string name;
  const FileValues* file = nullptr;
  const syntax::Function* definition = nullptr;  // one of the two
  const syntax::Lambda* lambda = nullptr;
  Values fallbacks;  // of the parameters that have one, evaluated where the def stands
  std::shared_ptr<Scope> closure;  // null: only the file's names
  std::weak_ptr<Class> owner;      // the class whose body it stands in
  bool no_grad = false;            // decorated with @torch.no_grad()
  enum class Kind { plain, static_, property, class_ } kind = Kind::plain;
};

/// The arguments of a call.
struct Arguments {
  Values positional;
  NamedValues named;
};

class Evaluator;

/// A function of ours: len, math.sqrt, nn.Module.register_buffer; or a torch operator by its name.
struct Builtin {
  std::string name;  // qualified: "len", "math.sqrt", "torch.zeros"
  std::function<Value(Evaluator&, const Arguments&, syntax::Range)> call;
};

struct BoundMethod {
  Value self;
  Value function;  // Function or Builtin
};

/// torch, torch.nn.functional, math, a sibling file.
struct Namespace {
  std::string name;
  std::shared_ptr<Scope> names;
  bool has_operators = false;   // torch, torch.linalg: what is not in `names` may be one
  std::string operator_prefix;  // "linalg_": torch.linalg.norm is the operator linalg_norm
  bool available = true;        // false: imported, but not there; an error only where it is used
};

/// A field of a dataclass.
struct Field {
  std::string name;
  const syntax::Expression* annotation = nullptr;
  std::optional<Value> fallback;
  std::optional<Value> factory;  // called for each new object instead
};

struct Class {
  std::string name;
  const FileValues* file = nullptr;  // null: made by us (Module, the containers, int, ValueError)
  const syntax::Class* definition = nullptr;
  std::vector<std::shared_ptr<Class>> order;  // method resolution order, itself first
  NamedValues members;                        // functions, properties, constants
  bool is_module = false;                     // below nn.Module
  bool is_dataclass = false;
  bool is_frozen = false;     // a dataclass whose fields cannot be assigned
  std::vector<Field> fields;  // of a dataclass, those of its bases first
  std::function<Value(Evaluator&, const Arguments&, syntax::Range)> construct;  // of our classes
  enum class Container { none, sequential, list, dict, parameters } container = Container::none;

  const Value* find(std::string_view member) const;  // along `order`
};

/// One tensor slot of a module: a Parameter, or a buffer.
struct Slot {
  std::string name;
  std::optional<at::Tensor> tensor;  // nothing: registered as None
  bool persistent = true;            // of buffers
};

/// An instance of a class. The four lists are in the order of registration, as in nn.Module.
struct Object {
  std::shared_ptr<Class> type;
  std::vector<Slot> parameters;
  std::vector<Slot> buffers;
  std::vector<std::pair<std::string, std::shared_ptr<Object>>> modules;  // null: registered as None
  NamedValues attributes;                                                // everything else
  std::vector<std::string> annotated;  // attributes assigned with an annotation: mutable in methods
  bool training = true;
  bool ready = false;  // nn.Module.__init__ has run
};

/// super(): the members of `self` that come after a class in its order.
struct Super {
  Value self;  // an Object, or in a classmethod the Class
  std::shared_ptr<Class> after;
};

}  // namespace knead::engine::model
