#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runner/files/budget.h"

namespace knead::weights {

struct PickledValue;
/// Lists the entries of a dict in the order in which the pickle sets them; a key may occur twice,
/// and the last one would count in Python.
using PickledPairs = std::vector<std::pair<const PickledValue*, const PickledValue*>>;

/// Represents Python's None.
struct PickledNone {};
/// Names a Python class or function by module and name, with a space between: "torch FloatStorage".
struct PickledGlobal {
  std::string name;
};
/// Holds the items of a list, a tuple or a set, which are not told apart.
struct PickledList {
  std::vector<const PickledValue*> items;
};
/// Holds the entries of a dict.
struct PickledDict {
  PickledPairs entries;
};
/// Refers by its persistent id to an object that is stored outside of the pickle. For torch.save
/// the id is a tuple that names a storage.
struct PickledReference {
  const PickledValue* id;
};
/// Describes an object that Python would make by calling a global: the global, its arguments and
/// the items set afterwards. The call is never made, and the state that BUILD would set is dropped.
struct PickledObject {
  std::string_view type;  // the name of the global, which the pickle holds
  const PickledValue* arguments;
  PickledPairs entries;
};
/// Represents a value that is not read: bytes, or an integer of more than 64 bits.
struct PickledOther {
  std::string kind;
};

/// Holds one value of a pickle. Pointers between values belong to their Pickle.
struct PickledValue {
  std::variant<PickledNone, bool, std::int64_t, double, std::string, PickledGlobal, PickledList,
               PickledDict, PickledReference, PickledObject, PickledOther>
      kind;
};

/// Holds the values of a pickle, which refer to each other, possibly in cycles. Unlike Python, this
/// class executes nothing: it records names and calls without resolving them. So a pickle from
/// anywhere may be read; code that walks the values must bound the depth. Move it, but do not copy
/// it: the values of a copy refer to those of the original.
class Pickle {
 public:
  /// Reads a pickle of protocol 2 to 5 (PEP 307, 3154 and 574; pickletools of Python lists the
  /// instructions). Takes all memory from `budget`; a byte may become a value of 80 bytes. Throws
  /// std::invalid_argument with the reason if `bytes` are not such a pickle or are cut short, and
  /// knead::Error if they are beyond the budget. The values copy what they need of `bytes`.
  Pickle(std::string_view bytes, files::Budget& budget);

  /// Returns the value that the pickle describes; it lives as long as this object.
  const PickledValue& root() const { return *root_; }

 private:
  friend class PickleMachine;
  std::deque<PickledValue> values_;
  const PickledValue* root_ = nullptr;
};

}  // namespace knead::weights
