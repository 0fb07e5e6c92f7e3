#include "runner/engine/model/values/values.h"

#include <cstring>

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/work.h"

namespace knead::engine::model {

Value* Scope::find(std::string_view name) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  count_parts(found - names.begin());
  return found == names.end() ? nullptr : &found->second;
}

void Scope::set(const std::string& name, Value value) {
  if (Value* there = find(name)) {
    *there = std::move(value);
  } else {
    names.emplace_back(name, std::move(value));
  }
}

// Members are compared in the order of the classes and not by a merged table, because a class of a
// file may be given members after its definition.
const Value* Class::find(std::string_view member) const {
  for (const auto& type : order) {
    count_parts(static_cast<std::int64_t>(type->members.size()) + 1);
    for (const auto& entry : type->members) {
      if (entry.first == member) return &entry.second;
    }
  }
  return nullptr;
}

void bury(Value& value) {
  std::visit(
      [](auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (requires { typename Held::element_type; }) bury(held);
      },
      value);
}

Slice::~Slice() {
  for (Value* part : {&begin, &end, &step}) bury(*part);
  empty_the_queue();
}

Iterator::~Iterator() {
  // The functions may hold the iterator that this one reads.
  bury(std::make_shared<std::function<std::optional<Value>()>>(std::move(next)));
  bury(std::make_shared<std::function<void()>>(std::move(close)));
  empty_the_queue();
}

Value make_list(Values items) { return std::make_shared<List>(List{std::move(items)}); }
Value make_tuple(Values items) { return std::make_shared<Tuple>(Tuple{std::move(items)}); }
Value make_text(std::string_view text) { return std::string(text); }
Value make_integer(std::int64_t value) { return value; }

Value make_module(std::shared_ptr<Object> module) {
  return module ? Value{std::move(module)} : Value{None{}};
}

Value make_builtin(std::string name, BuiltinCall call) {
  return std::make_shared<Builtin>(Builtin{std::move(name), std::move(call)});
}

Value make_iterator(std::string type, std::function<std::optional<Value>()> next) {
  auto made = std::make_shared<Iterator>();
  made->type = std::move(type);
  made->next = std::move(next);
  return made;
}

// std::string::find() takes time in proportion to the product of the lengths.
std::size_t find_text(const std::string& text, std::string_view part, std::size_t from) {
  if (from > text.size()) return std::string::npos;
  const void* found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  const std::size_t place =
      found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) : text.size();
  count_parts(1 + static_cast<std::int64_t>((place - from + part.size()) / 64));
  return found ? place : std::string::npos;
}

const Values* sequence(const Value& value) {
  if (const auto* list = as<List>(value)) return &(*list)->items;
  if (const auto* tuple = as<Tuple>(value)) return &(*tuple)->items;
  return nullptr;
}

bool is_integer(const Value& value) {
  if (const auto* scalar = std::get_if<ArrayScalar>(&value)) {
    return !std::holds_alternative<double>(scalar->number);
  }
  return std::holds_alternative<bool>(value) || std::holds_alternative<std::int64_t>(value);
}

std::string captured_name(const std::string& variable) { return "@captured " + variable; }

bool is_of_numpy(const Value& value) {
  return std::holds_alternative<ArrayScalar>(value) || as<Array>(value);
}

Value plain(const Value& value) {
  const auto* scalar = std::get_if<ArrayScalar>(&value);
  if (scalar == nullptr) return value;
  return std::visit([](const auto number) -> Value { return number; }, scalar->number);
}

namespace {

struct Address {
  template <class T>
  const void* operator()(const std::shared_ptr<T>& shared) const {
    return shared.get();
  }
  const void* operator()(const auto&) const { return nullptr; }
};

}  // namespace

const void* address_of(const Value& value) { return std::visit(Address{}, value); }

bool passes_for_tuple(const Value& value) {
  const auto* list = as<List>(value);
  return list && (*list)->passes_for_tuple;
}

bool is_number(const Value& value) {
  return is_integer(value) || std::holds_alternative<double>(value) ||
         std::holds_alternative<ArrayScalar>(value);
}

std::int64_t integer_of(const Value& number) {
  if (const bool* flag = std::get_if<bool>(&number)) return *flag ? 1 : 0;
  if (std::holds_alternative<ArrayScalar>(number)) return integer_of(plain(number));
  return std::get<std::int64_t>(number);
}

double float_of(const Value& number) {
  if (const double* value = std::get_if<double>(&number)) return *value;
  if (std::holds_alternative<ArrayScalar>(number)) return float_of(plain(number));
  return static_cast<double>(integer_of(number));
}

std::int64_t to_integer(const Value& value) {
  if (is_integer(value)) return integer_of(value);
  if (const auto* array = as<Array>(value)) {
    const at::Tensor& numbers = (*array)->numbers;
    if (numbers.dim() == 0 && c10::isIntegralType(numbers.scalar_type(), false)) {
      return numbers.item<std::int64_t>();
    }
    throw Mistake::of("TypeError", "only integer scalar arrays can be converted to a scalar index");
  }
  throw Mistake(fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
}

const std::string& to_text(const Value& value, std::string_view name) {
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  throw Mistake(fmt::format("{} must be a str, not {}", name, type_name(value)));
}

const char* array_type_name(c10::ScalarType type) {
  switch (type) {
    case c10::ScalarType::Bool: return "bool";
    case c10::ScalarType::Byte: return "uint8";
    case c10::ScalarType::Char: return "int8";
    case c10::ScalarType::Short: return "int16";
    case c10::ScalarType::Int: return "int32";
    case c10::ScalarType::Long: return "int64";
    case c10::ScalarType::Half: return "float16";
    case c10::ScalarType::Float: return "float32";
    default: return "float64";
  }
}

namespace {

/// Returns the name of the Python type of each alternative.
struct TypeName {
  std::string operator()(None) const { return "NoneType"; }
  std::string operator()(bool) const { return "bool"; }
  std::string operator()(std::int64_t) const { return "int"; }
  std::string operator()(double) const { return "float"; }
  std::string operator()(const std::string&) const { return "str"; }
  std::string operator()(const at::Tensor&) const { return "Tensor"; }
  std::string operator()(Dtype) const { return "torch.dtype"; }
  std::string operator()(Device) const { return "torch.device"; }
  std::string operator()(Ellipsis) const { return "ellipsis"; }
  std::string operator()(const ArrayScalar& scalar) const {
    return std::string("numpy.") + array_type_name(scalar.type);
  }
  std::string operator()(const std::shared_ptr<Array>&) const { return "numpy.ndarray"; }
  std::string operator()(const std::shared_ptr<List>&) const { return "list"; }
  std::string operator()(const std::shared_ptr<Tuple>&) const { return "tuple"; }
  std::string operator()(const std::shared_ptr<Dict>&) const { return "dict"; }
  std::string operator()(const std::shared_ptr<Set>&) const { return "set"; }
  std::string operator()(const std::shared_ptr<Range>&) const { return "range"; }
  std::string operator()(const std::shared_ptr<Slice>&) const { return "slice"; }
  std::string operator()(const std::shared_ptr<Iterator>& iterator) const { return iterator->type; }
  std::string operator()(const std::shared_ptr<Function>&) const { return "function"; }
  std::string operator()(const std::shared_ptr<Builtin>&) const {
    return "builtin_function_or_method";
  }
  std::string operator()(const std::shared_ptr<BoundMethod>&) const { return "method"; }
  std::string operator()(const std::shared_ptr<Namespace>&) const { return "module"; }
  std::string operator()(const std::shared_ptr<Class>&) const { return "type"; }
  std::string operator()(const std::shared_ptr<Object>& object) const { return object->type->name; }
  std::string operator()(const std::shared_ptr<Super>&) const { return "super"; }
};

}  // namespace

std::string type_name(const Value& value) { return std::visit(TypeName{}, value); }

const Function* function_of(const Value& value) {
  if (const auto* function = as<Function>(value)) return function->get();
  if (const auto* method = as<BoundMethod>(value)) return function_of((*method)->function);
  return nullptr;
}

bool same(const Value& a, const Value& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&]<typename T>(const T& left) {
        const T& right = std::get<T>(b);
        if constexpr (std::is_same_v<T, at::Tensor>) {
          return left.is_same(right);
        } else if constexpr (std::is_same_v<T, Dtype>) {
          return left.type == right.type;
        } else if constexpr (std::is_same_v<T, Device>) {
          return left.device == right.device;
        } else if constexpr (std::is_same_v<T, None> || std::is_same_v<T, Ellipsis>) {
          return true;
        } else if constexpr (std::is_same_v<T, std::shared_ptr<BoundMethod>>) {
          return same(left->self, right->self) && same(left->function, right->function);
        } else {
          return left == right;
        }
      },
      a);
}

std::int64_t length(const Range& range) {
  if (range.step > 0) {
    return range.begin >= range.end ? 0 : (range.end - range.begin - 1) / range.step + 1;
  }
  return range.begin <= range.end ? 0 : (range.begin - range.end - 1) / -range.step + 1;
}

std::size_t position(std::int64_t index, std::size_t size, std::string_view what) {
  const auto count = static_cast<std::int64_t>(size);
  const std::int64_t place = index < 0 ? index + count : index;
  if (place < 0 || place >= count)
    throw Mistake::of("IndexError", fmt::format("{} index out of range", what));
  return static_cast<std::size_t>(place);
}

Range taken(const Slice& slice, std::size_t size) {
  const auto count = static_cast<std::int64_t>(size);
  const std::int64_t step = is_none(slice.step) ? 1 : to_integer(slice.step);
  if (step == 0) throw Mistake("slice step cannot be zero");
  // A negative step counts down and ends before the first item, at position -1.
  const std::int64_t first = step > 0 ? 0 : -1;
  const std::int64_t last = step > 0 ? count : count - 1;
  const auto bound = [&](const Value& value, std::int64_t otherwise) {
    if (is_none(value)) return otherwise;
    const std::int64_t written = to_integer(value);
    return std::clamp(written < 0 ? written + count : written, first, last);
  };
  return {.begin = bound(slice.begin, step > 0 ? first : last),
          .end = bound(slice.end, step > 0 ? last : first),
          .step = step};
}

}  // namespace knead::engine::model
