#include "runner/weights/pickle.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>

#include "runner/weights/pickle_bytes.h"
#include "runner/weights/pickle_instruction.h"

namespace knead::weights {
namespace {

constexpr int kNewestProtocol = 5;
// Names of Python's modules and classes are far shorter. A longer one could be repeated by two
// bytes.
constexpr std::size_t kLongestPickledName = 1000;
constexpr std::string_view kOldInstructions = "IFLSVpgiodl";  // of protocol 0, which is plain text

}  // namespace

/// Runs a pickle as Python's unpickler does, with a stack, marks on it and a memo, but only makes
/// values and calls nothing.
class PickleMachine {
 public:
  PickleMachine(Pickle& out, std::string_view bytes, files::Budget& budget)
      : out_(out), bytes_(bytes), budget_(budget) {}

  void run() {
    if (bytes_.number<unsigned char>() != kProto)
      refuse_pickle("it does not begin as a pickle does");
    const int protocol = bytes_.number<unsigned char>();
    if (protocol < 2 || protocol > kNewestProtocol)
      refuse_pickle(fmt::format("it is a pickle of the unknown protocol {}", protocol));
    while (step(static_cast<Instruction>(bytes_.number<unsigned char>()))) {
    }
    out_.root_ = pop();
  }

 private:
  PickledValue long_number(std::uint64_t size) {
    const std::optional<std::int64_t> value = bytes_.long_number(size);
    if (!value) return {PickledOther{"a very long integer"}};
    return {*value};
  }

  // --- the stack ---

  void push(PickledValue value) {
    budget_.hold(sizeof value);
    put(&out_.values_.emplace_back(std::move(value)));
  }

  /// Puts down a value that is there already.
  void put(PickledValue* value) { grow(stack_, value); }

  /// Puts something on a stack, whose memory counts as it gets higher than before.
  template <class Item>
  void grow(std::vector<Item>& stack, Item item) {
    if (stack.size() == stack.capacity()) budget_.hold((stack.size() + 1) * sizeof(Item));
    stack.push_back(item);
  }

  void push_text(std::string_view text) {
    budget_.hold(text.size());
    push(PickledValue{std::string(text)});
  }

  /// Puts a list down whose items are counted.
  void push_list(std::vector<const PickledValue*> items) {
    budget_.hold(kOfAllocation + items.size() * sizeof(void*));
    push({PickledList{std::move(items)}});
  }

  PickledValue* pop() {
    // An instruction must not take values from below the last mark.
    const std::size_t bottom = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() <= bottom) refuse_pickle("its pickle takes more than it has put down");
    PickledValue* value = stack_.back();
    stack_.pop_back();
    return value;
  }

  PickledValue& top() {
    PickledValue* value = pop();
    stack_.push_back(value);  // where it was
    return *value;
  }

  std::vector<const PickledValue*> pop_to_mark() {
    if (marks_.empty()) refuse_pickle("its pickle goes back to a mark that it has not set");
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<const PickledValue*> values(first, stack_.end());
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return values;
  }

  void push_tuple(std::size_t size) {
    std::vector<const PickledValue*> items(size);
    for (std::size_t i = size; i-- > 0;) items[i] = pop();
    push_list(std::move(items));
  }

  // --- adding to values ---

  void append(const std::vector<const PickledValue*>& items) {
    auto* list = std::get_if<PickledList>(&top().kind);
    // A vector grows by a factor of two.
    budget_.hold(2 * items.size() * sizeof(void*));
    if (list) list->items.insert(list->items.end(), items.begin(), items.end());
  }

  void set_items(const std::vector<const PickledValue*>& items) {
    if (items.size() % 2 != 0) refuse_pickle("its pickle has a key without a value");
    PickledPairs* entries = nullptr;
    if (auto* dict = std::get_if<PickledDict>(&top().kind)) entries = &dict->entries;
    if (auto* object = std::get_if<PickledObject>(&top().kind)) entries = &object->entries;
    if (!entries) refuse_pickle("its pickle sets an item of what has none");
    budget_.hold(2 * items.size() * sizeof(void*));
    for (std::size_t i = 0; i < items.size(); i += 2) entries->emplace_back(items[i], items[i + 1]);
  }

  // --- the memo ---

  void remember(std::uint64_t place) {
    PickledValue& value = top();
    if (memo_.insert_or_assign(place, &value).second) budget_.hold(kOfPlace);
  }

  void recall(std::uint64_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) refuse_pickle("its pickle refers to what it has not kept");
    put(found->second);
  }

  // --- names and calls ---

  void push_global() {
    // The order of reading matters: the module precedes the name.
    const std::string module(bytes_.line());
    push_name(module, bytes_.line());
  }

  void push_name(std::string_view module, std::string_view name) {
    if (module.size() > kLongestPickledName || name.size() > kLongestPickledName)
      refuse_pickle(fmt::format("its pickle has a name of {} bytes, where {} are the most",
                                std::max(module.size(), name.size()), kLongestPickledName));
    budget_.hold(module.size() + name.size() + 1);
    push({PickledGlobal{fmt::format("{} {}", module, name)}});
  }

  void push_stack_global() {
    const auto* name = std::get_if<std::string>(&pop()->kind);
    const auto* module = std::get_if<std::string>(&pop()->kind);
    if (!name || !module) refuse_pickle("its pickle has a name that is no text");
    push_name(*module, *name);
  }

  void push_object() {
    const PickledValue* arguments = pop();
    const auto* callee = std::get_if<PickledGlobal>(&pop()->kind);
    push({PickledObject{
        callee ? std::string_view(callee->name) : "what is no name", arguments, {}}});
  }

  // --- the instructions ---

  bool step(Instruction instruction) {
    if (instruction == kStop) return false;
    if (instruction == kFrame) {
      bytes_.number<std::uint64_t>();
    } else if (!scalar(instruction) && !container(instruction) && !other(instruction)) {
      if (kOldInstructions.find(static_cast<char>(instruction)) != kOldInstructions.npos)
        refuse_pickle("it is a pickle of Python's old text protocol");
      refuse_pickle(fmt::format("its pickle has the unknown instruction {:#04x}",
                                static_cast<unsigned>(instruction)));
    }
    return true;
  }

  bool scalar(Instruction instruction) {
    switch (instruction) {
      case kNone: push({PickledNone{}}); return true;
      case kNewTrue: push({true}); return true;
      case kNewFalse: push({false}); return true;
      case kBinInt: push({std::int64_t{bytes_.number<std::int32_t>()}}); return true;
      case kBinInt1: push({std::int64_t{bytes_.number<std::uint8_t>()}}); return true;
      case kBinInt2: push({std::int64_t{bytes_.number<std::uint16_t>()}}); return true;
      case kLong1: push(long_number(bytes_.number<std::uint8_t>())); return true;
      case kLong4: push(long_number(bytes_.number<std::uint32_t>())); return true;
      case kBinFloat: push({bytes_.big_endian_double()}); return true;
      case kBinUnicode: push_text(bytes_.take(bytes_.number<std::uint32_t>())); return true;
      case kShortBinUnicode: push_text(bytes_.take(bytes_.number<std::uint8_t>())); return true;
      case kBinUnicode8: push_text(bytes_.take(bytes_.number<std::uint64_t>())); return true;
      case kBinString: push_text(bytes_.take(bytes_.number<std::uint32_t>())); return true;
      case kShortBinString: push_text(bytes_.take(bytes_.number<std::uint8_t>())); return true;
      case kBinBytes: push_bytes(bytes_.number<std::uint32_t>()); return true;
      case kShortBinBytes: push_bytes(bytes_.number<std::uint8_t>()); return true;
      case kBinBytes8: push_bytes(bytes_.number<std::uint64_t>()); return true;
      case kByteArray8: push_bytes(bytes_.number<std::uint64_t>()); return true;
      default: return false;
    }
  }

  void push_bytes(std::uint64_t size) {
    bytes_.take(size);
    push({PickledOther{"bytes"}});
  }

  bool container(Instruction instruction) {
    switch (instruction) {
      case kEmptyList:
      case kEmptySet:
      case kEmptyTuple: push({PickledList{}}); return true;
      case kEmptyDict: push({PickledDict{}}); return true;
      case kTuple:
      case kFrozenSet: push_list(pop_to_mark()); return true;
      case kTuple1: push_tuple(1); return true;
      case kTuple2: push_tuple(2); return true;
      case kTuple3: push_tuple(3); return true;
      case kAppend: append({pop()}); return true;
      case kAppends:
      case kAddItems: append(pop_to_mark()); return true;
      case kSetItem: {
        const PickledValue* value = pop();
        set_items({pop(), value});
        return true;
      }
      case kSetItems: set_items(pop_to_mark()); return true;
      default: return false;
    }
  }

  bool other(Instruction instruction) {
    switch (instruction) {
      case kMark: grow(marks_, stack_.size()); return true;
      case kPop: pop(); return true;
      case kPopMark: pop_to_mark(); return true;
      case kDup: put(&top()); return true;
      case kBinPut: remember(bytes_.number<std::uint8_t>()); return true;
      case kLongBinPut: remember(bytes_.number<std::uint32_t>()); return true;
      // Python numbers a value of MEMOIZE by the length of the memo.
      case kMemoize: remember(memo_.size()); return true;
      case kBinGet: recall(bytes_.number<std::uint8_t>()); return true;
      case kLongBinGet: recall(bytes_.number<std::uint32_t>()); return true;
      case kGlobal: push_global(); return true;
      case kStackGlobal: push_stack_global(); return true;
      case kBinPersId: push({PickledReference{pop()}}); return true;
      case kNewObjEx: pop(); [[fallthrough]];
      case kReduce:
      case kNewObj: push_object(); return true;
      case kBuild: pop(); return true;  // the state of an object, which is not needed
      default: return false;
    }
  }

  Pickle& out_;
  static constexpr std::uint64_t kOfAllocation = 32;  // bytes that an allocation takes besides
  static constexpr std::uint64_t kOfPlace = 64;       // bytes of a place of the memo

  PickleBytes bytes_;
  files::Budget& budget_;
  std::vector<PickledValue*> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickledValue*> memo_;
};

Pickle::Pickle(std::string_view bytes, files::Budget& budget) {
  PickleMachine(*this, bytes, budget).run();
}

}  // namespace knead::weights
