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
using PickledPairs = std::vector<std::pair<const PickledValue*, const PickledValue*>>;

struct PickledNone {};
/// A name of Python's: "torch FloatStorage".
struct PickledGlobal {
  std::string name;
};
struct PickledList {  // or tuple, or set
  std::vector<const PickledValue*> items;
};
struct PickledDict {
  PickledPairs entries;
};
/// What lies outside of the pickle, by what it is called there.
struct PickledReference {
  const PickledValue* id;
};
/// What Python would make by calling a global. Nothing is called here: this says what and with
/// which arguments, and what would be put into it then.
struct PickledObject {
  std::string type;  // the global
  const PickledValue* arguments;
  PickledPairs entries;
};
/// A value that no C++ number or text holds: bytes, a very long integer.
struct PickledOther {
  std::string kind;
};

struct PickledValue {
  std::variant<PickledNone, bool, std::int64_t, double, std::string, PickledGlobal, PickledList,
               PickledDict, PickledReference, PickledObject, PickledOther>
      kind;
};

/// What a pickle says, as values that refer to each other, perhaps in circles. Python would run it;
/// this only reads it: no name in it means anything here.
class Pickle {
 public:
  /// Reads protocols 2 to 5. Throws std::invalid_argument with why it is none, or is cut short.
  explicit Pickle(std::string_view bytes);

  const PickledValue& root() const { return *root_; }

 private:
  friend class PickleMachine;
  std::deque<PickledValue> values_;
  const PickledValue* root_ = nullptr;
};

}  // namespace knead::weights
