#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

#include "runner/engine/model/values/array.h"
#include "runner/engine/model/values/release.h"
#include "runner/syntax/refusal.h"
#include "runner/syntax/tree.h"

namespace knead::engine::model {

// The values of Python source while __init__ runs. As in Python, mutable values are shared: a Value
// holds a pointer to them, so a copy of a Value refers to the same list, dict or object. Scalars
// and texts are copied with the Value.
//
// The types hold data only. The rules of Python are functions of values.h and of Evaluator. Nothing
// here is safe to use from two threads at a time.

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
/// A dtype of torch, such as torch.float32. Python's float, int and bool are classes, which
/// to_dtype() converts.
struct Dtype {
  c10::ScalarType type;
};
/// A torch.device. Only the CPU occurs, see to_device().
struct Device {
  c10::Device device;
};

/// Any value of Python source. Integers have 64 bits; the operators of Evaluator throw Mistake if
/// one overflows. A text is UTF-8. Mutable values are held by pointer, which is never null.
using Value =
    std::variant<None, bool, std::int64_t, double, std::string, at::Tensor, Dtype, Device, Ellipsis,
                 ArrayScalar, std::shared_ptr<Array>, std::shared_ptr<List>, std::shared_ptr<Tuple>,
                 std::shared_ptr<Dict>, std::shared_ptr<Set>, std::shared_ptr<Range>,
                 std::shared_ptr<Slice>, std::shared_ptr<Iterator>, std::shared_ptr<Function>,
                 std::shared_ptr<Builtin>, std::shared_ptr<BoundMethod>, std::shared_ptr<Namespace>,
                 std::shared_ptr<Class>, std::shared_ptr<Object>, std::shared_ptr<Super>>;

void bury(Value& value);  // for Items
using Values = Items<Value>;
/// Names with values, in order. A name occurs once; find_named() searches linearly.
using NamedValues = Items<std::pair<std::string, Value>>;

/// Returns the value of a name; null if the name is absent.
template <class Items>
auto* find_named(Items& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](const auto& item) { return item.first == name; });
  return found == items.end() ? nullptr : &found->second;
}

/// A list. Methods and operators change `items` in place, which all holders of the list see.
struct List {
  Values items;
  /// YAML has no tuples: a list of a recipe also passes for a tuple, in isinstance(), ==, + and as
  /// a key of a dict. No operator gives this to a new list.
  bool passes_for_tuple = false;
};

/// A tuple, which nothing changes. Lists that operators return (sizes, chunks) are tuples as well.
struct Tuple {
  Values items;
  /// The names of an operator's results, as `solution` of lstsq(); empty for any other tuple.
  std::vector<std::string> names = {};
};

/// A dict. Lookup is linear: Evaluator::find_key() compares keys with Python's ==. Keys that
/// Evaluator::set_key() adds are distinct and contain no list, dict or set.
struct Dict {
  Items<std::pair<Value, Value>> items;  // in the order of insertion
  Value factory = None{};                // of a defaultdict: makes the value of an absent key
};

/// A set, or a view of a dict. Lookup is linear. Evaluator::add_to() adds items and keeps them
/// distinct; Evaluator::iterate() by default refuses a set of several items that is not a view,
/// because Python does not define the order.
struct Set {
  Values items;          // distinct, in the order of insertion
  bool is_view = false;  // keys(), values(), items() of a dict: these have an order
};

/// A range of integers without `end`. `step` is never 0; a negative step counts down.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
};

/// A slice. An absent part is None; the types of the others are checked where the slice is used.
struct Slice {
  Value begin, end, step;
  ~Slice();
};

/// An iterator, such as the result of zip or a generator expression. May compute an item only when
/// next() asks for it, by the Evaluator that made it, which must outlive it.
struct Iterator {
  /// Name of the Python type, as type_name() returns it: "zip", "generator".
  std::string type;
  /// Returns the next item; std::nullopt at the end. Throws as the source that it runs.
  std::function<std::optional<Value>()> next;
  std::function<void()> close = nullptr;  // ends a function with `yield`; empty for any other
  ~Iterator();
};

/// The names of a file, a function call or a class body, in the order of definition. Shared with
/// the closures that are defined in it, so a closure sees later assignments.
struct Scope {
  NamedValues names;
  std::shared_ptr<Scope> outer;  // null for a file

  /// Returns the value of a name in this scope only, not in `outer`; null if the name is absent.
  /// The pointer is valid until a name is added or deleted.
  Value* find(std::string_view name);
  /// Replaces the value of a name, or appends the name.
  void set(const std::string& name, Value value);
};

/// A source file with the values of its names: the user's file, a file that it imports, or a layer
/// file. Program owns all of them; functions and classes refer to their file without owning it.
struct FileValues {
  /// Import name: "gpt", "torch.nn".
  std::string module;
  /// The syntax tree with the text, to which functions and classes of the file refer.
  std::shared_ptr<const syntax::File> file;
  std::shared_ptr<Scope> globals;
};

/// A function or a lambda of a source file. Exactly one of `definition` and `lambda` is set.
/// FileValues::file owns the syntax tree.
struct Function {
  std::string name;
  const FileValues* file = nullptr;
  const syntax::Function* definition = nullptr;  // null for a lambda
  const syntax::Lambda* lambda = nullptr;
  /// Defaults of the parameters that have one, in order. A mutable one is shared between calls.
  Values fallbacks;
  /// Scope of the function that encloses the definition; null at the top level of a file and of its
  /// classes.
  std::shared_ptr<Scope> closure;
  /// The first class whose body binds the function; super() continues after it.
  std::weak_ptr<Class> owner;
  /// Variables of the method around it that the function reads while the model runs; a call passes
  /// them as named arguments, see captured_name().
  std::vector<std::string> captures = {};
  bool no_grad = false;  // decorated with @torch.no_grad(), which compilation keeps
  bool yields = false;   // a call makes a generator
  /// States how an attribute access finds the function: bound to the object, unbound, called as a
  /// property, or bound to the class.
  enum class Kind { plain, static_, property, class_ } kind = Kind::plain;
};

/// The arguments of a call after `*` and `**` are expanded. The object of a method is the first
/// positional one. Names are distinct.
struct Arguments {
  Values positional;
  NamedValues named;
};

class Evaluator;

/// A function that C++ defines: len, math.sqrt, nn.Module.register_buffer, or an operator of
/// LibTorch. The compiler maps it to TorchScript by its name.
struct Builtin {
  /// Qualified name: "len", "math.sqrt", "torch.zeros".
  std::string name;
  /// Computes a call at the given range of the source. Throws Mistake for wrong arguments. Empty
  /// for a name that lowering makes and that is only compiled.
  std::function<Value(Evaluator&, const Arguments&, syntax::Range)> call;
  /// As a member of a class it is called by the access to the attribute, as a property.
  bool is_property = false;
  /// The brackets of a generic type of typing, as in Literal["relu", "gelu"]; null otherwise.
  std::shared_ptr<Tuple> parameters = nullptr;
};

/// A method with the object that it is called on. A call passes `self` as the first positional
/// argument.
struct BoundMethod {
  Value self;
  Value function;  // Function or Builtin
};

/// A module of an import: torch, math, or a file of the model, which shares `names` with it.
struct Namespace {
  std::string name;
  std::shared_ptr<Scope> names;
  /// A name that is not in `names` may be a LibTorch operator, as in torch.relu.
  bool has_operators = false;
  /// Prefix of the operators of this module: with "linalg_", torch.linalg.norm is the operator
  /// linalg_norm.
  std::string operator_prefix;
  /// False for a module that does not exist here: its import is allowed, and its use is an error.
  bool available = true;
  /// The error of the statement that should have given this name its value; null for a module.
  std::shared_ptr<const syntax::Refusal> failure;
  /// The file of a module of the model; null for any other module. The program owns it.
  const FileValues* file = nullptr;
};

/// A field of a dataclass or a NamedTuple. A field without `fallback` and `factory` is a required
/// argument.
struct Field {
  std::string name;
  const syntax::Expression* annotation = nullptr;
  std::optional<Value> fallback;
  /// Called without arguments for each new object, for a mutable default.
  std::optional<Value> factory;
};

/// A class of a file, or a built-in class. Members of the class and of its bases are found by
/// find(); attributes of an object are in Object.
struct Class {
  std::string name;
  /// The file that defines the class; null for a built-in class. `definition` is null then as well.
  const FileValues* file = nullptr;
  const syntax::Class* definition = nullptr;
  /// Method resolution order (C3 linearization), the class itself first. It makes a cycle of shared
  /// pointers, so a class is never freed.
  std::vector<std::shared_ptr<Class>> order;
  /// Functions, properties and constants of the class body, in order of definition.
  NamedValues members;
  /// The class is nn.Module or derived from it, so its objects hold parameters and submodules.
  bool is_module = false;
  /// The class has fields: a dataclass, or a NamedTuple.
  bool is_dataclass = false;
  /// A dataclass whose objects refuse the assignment of attributes.
  bool is_frozen = false;
  std::shared_ptr<const syntax::Refusal> failure = nullptr;  // why a base is not there
  /// Fields of a dataclass or NamedTuple in the order of the arguments of __init__; fields of bases
  /// first.
  std::vector<Field> fields;
  /// Makes an object of a built-in class; empty if __init__ makes it.
  std::function<Value(Evaluator&, const Arguments&, syntax::Range)> construct;
  /// The container of torch.nn that the class is or is derived from; its methods are defined in
  /// C++.
  enum class Container { none, sequential, list, dict, parameters } container = Container::none;

  /// Returns the member of the first class in `order` that defines it; null if none does. The
  /// pointer is valid until `members` changes.
  const Value* find(std::string_view member) const;
};

/// A registered tensor of a module, a parameter or a buffer. Two slots with one are tied weights.
struct Slot {
  std::string name;
  /// The tensor; std::nullopt if it is registered as None, as the bias of a layer without bias.
  std::optional<at::Tensor> tensor;
  /// False for a buffer that state_dict() leaves out; true for every parameter.
  bool persistent = true;
};

/// An instance of a class. The four lists are in the order of registration, as in nn.Module, and a
/// name is in at most one of them. An instance of a class without is_module uses `attributes` only.
struct Object {
  std::shared_ptr<Class> type;
  std::vector<Slot> parameters;
  std::vector<Slot> buffers;
  /// Submodules by name; null if registered as None.
  Items<std::pair<std::string, std::shared_ptr<Object>>> modules;
  /// All attributes that are neither parameter, buffer nor submodule: sizes, flags, lists.
  NamedValues attributes;
  bool training = true;
  /// nn.Module.__init__ has run; before that, the registration of a part throws Mistake.
  bool ready = false;
};

/// The result of super(): gives access to the members that follow `after` in the class's order.
struct Super {
  Value self;  // an Object, or in a classmethod the Class
  std::shared_ptr<Class> after;
};

}  // namespace knead::engine::model
