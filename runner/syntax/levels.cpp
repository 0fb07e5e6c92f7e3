#include "runner/syntax/levels.h"

#include <algorithm>

namespace knead::syntax {
namespace {

/// The levels of each thing that an expression may have in it.
struct Levels {
  static int of(const Expression& expression) { return expression.levels; }
  static int of(const ExpressionPtr& expression) { return expression ? expression->levels : 0; }
  static int of(const std::string&) { return 0; }
  static int of(const Keyword& keyword) { return of(keyword.value); }
  static int of(const DictItem& item) { return most(item.key, item.value); }
  static int of(const Parameter& one) { return most(one.annotation, one.fallback); }
  static int of(const Generator& one) { return most(one.target, one.iterable, one.conditions); }
  static int of(const Replacement& one) { return most(one.value, one.spec); }
  static int of(const std::variant<std::string, Replacement>& part) {
    return std::visit([](const auto& one) { return of(one); }, part);
  }

  template <typename Item>
  static int of(const std::vector<Item>& items) {
    int deepest = 0;
    for (const Item& item : items) deepest = std::max(deepest, of(item));
    return deepest;
  }

  template <typename... Parts>
  static int most(const Parts&... parts) {
    return std::max({of(parts)...});
  }
};

struct Below {
  int operator()(const Name&) const { return 0; }
  int operator()(const Constant&) const { return 0; }
  int operator()(const Integer&) const { return 0; }
  int operator()(const Float&) const { return 0; }
  int operator()(const String&) const { return 0; }
  int operator()(const FString& kind) const { return Levels::of(kind.parts); }
  int operator()(const List& kind) const { return Levels::of(kind.items); }
  int operator()(const Tuple& kind) const { return Levels::of(kind.items); }
  int operator()(const Set& kind) const { return Levels::of(kind.items); }
  int operator()(const Dict& kind) const { return Levels::of(kind.items); }
  int operator()(const Unary& kind) const { return Levels::of(kind.operand); }
  int operator()(const Binary& kind) const { return Levels::most(kind.left, kind.right); }
  int operator()(const Logical& kind) const { return Levels::of(kind.operands); }
  int operator()(const Comparison& kind) const { return Levels::of(kind.operands); }
  int operator()(const Starred& kind) const { return Levels::of(kind.value); }
  int operator()(const Call& kind) const {
    return Levels::most(kind.callee, kind.arguments, kind.keywords);
  }
  int operator()(const Attribute& kind) const { return Levels::of(kind.value); }
  int operator()(const Subscript& kind) const { return Levels::most(kind.value, kind.index); }
  int operator()(const Slice& kind) const { return Levels::most(kind.begin, kind.end, kind.step); }
  int operator()(const Conditional& kind) const {
    return Levels::most(kind.condition, kind.body, kind.otherwise);
  }
  int operator()(const Lambda& kind) const { return Levels::most(kind.parameters, kind.body); }
  int operator()(const Comprehension& kind) const {
    return Levels::most(kind.element, kind.value, kind.generators);
  }
  int operator()(const Walrus& kind) const { return Levels::of(kind.value); }
};

}  // namespace

int levels_below(const Expression& expression) { return std::visit(Below{}, expression.kind); }

}  // namespace knead::syntax
