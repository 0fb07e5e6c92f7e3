#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace knead::weights {

struct PickledValue;
/// Lists the entries of a dict in the order in which the pickle sets them.
using PickledPairs = std::vector<std::pair<const PickledValue*, const PickledValue*>>;

/// Represents Python's None.
struct PickledNone {};
/// Names a Python class or function by module and name: "torch FloatStorage".
struct PickledGlobal {
  std::string name;
};
/// Holds the items of a list, a tuple or a set.
struct PickledList {
  std::vector<const PickledValue*> items;
};
/// Holds the entries of a dict.
struct PickledDict {
  PickledPairs entries;
};
/// Refers by its persistent id to an object that is stored outside of the pickle.
struct PickledReference {
  const PickledValue* id;
};
/// Describes an object that Python would make by calling a global: the global, its arguments and
/// the items set afterwards. The call is never made.
struct PickledObject {
  std::string type;  // the global's module and name
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
/// class executes nothing: it records names and calls without resolving them.
class Pickle {
 public:
  /// Reads a pickle of protocol 2 to 5. Throws std::invalid_argument with the reason if `bytes` are
  /// not such a pickle or are cut short. The values copy what they need of `bytes`.
  explicit Pickle(std::string_view bytes);

  /// Returns the value that the pickle describes; it lives as long as this object.
  const PickledValue& root() const { return *root_; }

 private:
  friend class PickleMachine;
  std::deque<PickledValue> values_;
  const PickledValue* root_ = nullptr;
};

}  // namespace knead::weights
