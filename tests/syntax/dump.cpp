#include "tests/syntax/dump.h"

#include <fmt/format.h>

namespace knead::tests {
namespace {

using namespace knead::syntax;

std::string all(const Expressions& expressions) {
  std::string out;
  for (const Expression& one : expressions) out += (out.empty() ? "" : ", ") + grouped(one);
  return out;
}

std::string maybe(const ExpressionPtr& one) { return one ? grouped(*one) : ""; }

std::string text_of(BinaryOperator op) {
  static constexpr const char* kTexts[] = {"+",  "-",  "*",  "@", "/", "//", "%",
                                           "**", "<<", ">>", "&", "|", "^"};
  return kTexts[static_cast<int>(op)];
}

std::string text_of(ComparisonOperator op) {
  static constexpr const char* kTexts[] = {"==", "!=", "<",      "<=", ">",
                                           ">=", "is", "is not", "in", "not in"};
  return kTexts[static_cast<int>(op)];
}

std::string text_of(const std::vector<Parameter>& parameters) {
  static constexpr const char* kMarks[] = {"/", "", "*", "=", "**"};
  std::string out;
  for (const Parameter& one : parameters) {
    out += (out.empty() ? "" : ", ") + std::string(kMarks[static_cast<int>(one.kind)]) + one.name;
    if (one.annotation) out += ": " + grouped(*one.annotation);
    if (one.fallback) out += " = " + grouped(*one.fallback);
  }
  return out;
}

struct Grouped {
  std::string operator()(const Name& one) const { return one.id; }
  std::string operator()(Constant one) const {
    static constexpr const char* kTexts[] = {"None", "True", "False", "..."};
    return kTexts[static_cast<int>(one)];
  }
  std::string operator()(const Integer& one) const {
    return one.value ? std::to_string(*one.value) : "too large";
  }
  std::string operator()(const Float& one) const { return fmt::format("float {}", one.value); }
  std::string operator()(const Imaginary& one) const {
    return fmt::format("imaginary {}", one.value);
  }
  std::string operator()(const Bytes& one) const { return "b'" + one.value + "'"; }
  std::string operator()(const String& one) const { return "'" + one.value + "'"; }
  std::string operator()(const FString& one) const { return "f'" + parts(one.parts) + "'"; }
  std::string operator()(const List& one) const { return "[" + all(one.items) + "]"; }
  std::string operator()(const Tuple& one) const {
    return (one.in_parentheses ? "tuple(" : "bare(") + all(one.items) + ")";
  }
  std::string operator()(const Set& one) const { return "{" + all(one.items) + "}"; }
  std::string operator()(const Dict& one) const {
    std::string out;
    for (const DictItem& item : one.items) {
      out += out.empty() ? "" : ", ";
      out += item.key ? grouped(*item.key) + ": " : "**";
      out += grouped(*item.value);
    }
    return "{" + out + "}";
  }
  std::string operator()(const Unary& one) const {
    static constexpr const char* kTexts[] = {"-", "+", "~", "not "};
    return "(" + std::string(kTexts[static_cast<int>(one.op)]) + grouped(*one.operand) + ")";
  }
  std::string operator()(const Binary& one) const {
    return fmt::format("({} {} {})", grouped(*one.left), text_of(one.op), grouped(*one.right));
  }
  std::string operator()(const Logical& one) const {
    std::string out;
    for (const Expression& operand : one.operands) {
      out += (out.empty() ? "" : one.is_and ? " and " : " or ") + grouped(operand);
    }
    return "(" + out + ")";
  }
  std::string operator()(const Comparison& one) const {
    std::string out = grouped(one.operands[0]);
    for (std::size_t i = 0; i < one.operators.size(); ++i) {
      out += fmt::format(" {} {}", text_of(one.operators[i]), grouped(one.operands[i + 1]));
    }
    return "(" + out + ")";
  }
  std::string operator()(const Starred& one) const { return "*" + grouped(*one.value); }
  std::string operator()(const Call& one) const {
    std::string out = all(one.arguments);
    for (const Keyword& keyword : one.keywords) {
      out += out.empty() ? "" : ", ";
      out += keyword.name.empty() ? "**" : keyword.name + "=";
      out += grouped(*keyword.value);
    }
    return grouped(*one.callee) + "(" + out + ")";
  }
  std::string operator()(const Attribute& one) const {
    return grouped(*one.value) + "." + one.name;
  }
  std::string operator()(const Subscript& one) const {
    return grouped(*one.value) + "[" + grouped(*one.index) + "]";
  }
  std::string operator()(const Slice& one) const {
    return maybe(one.begin) + ":" + maybe(one.end) + (one.step ? ":" + grouped(*one.step) : "");
  }
  std::string operator()(const Conditional& one) const {
    return fmt::format("({} if {} else {})", grouped(*one.body), grouped(*one.condition),
                       grouped(*one.otherwise));
  }
  std::string operator()(const Lambda& one) const {
    return fmt::format("(lambda {}: {})", text_of(one.parameters), grouped(*one.body));
  }
  std::string operator()(const Comprehension& one) const {
    static constexpr const char* kKinds[] = {"list", "set", "dict", "generator"};
    std::string out = grouped(*one.element) + (one.value ? ": " + grouped(*one.value) : "");
    for (const Generator& loop : one.generators) {
      out += fmt::format(" {}for {} in {}", loop.is_async ? "async " : "", grouped(*loop.target),
                         grouped(*loop.iterable));
      for (const Expression& condition : loop.conditions) out += " if " + grouped(condition);
    }
    return fmt::format("{}({})", kKinds[static_cast<int>(one.kind)], out);
  }
  std::string operator()(const Walrus& one) const {
    return fmt::format("({} := {})", one.name, grouped(*one.value));
  }
  std::string operator()(const Yield& one) const {
    if (!one.value) return "(yield)";
    return fmt::format("(yield {}{})", one.is_from ? "from " : "", grouped(*one.value));
  }
  std::string operator()(const Await& one) const {
    return fmt::format("(await {})", grouped(*one.value));
  }

  std::string parts(const std::vector<std::variant<std::string, Replacement>>& parts_of) const {
    std::string out;
    for (const auto& part : parts_of) {
      const auto* one = std::get_if<Replacement>(&part);
      if (!one) {
        out += std::get<std::string>(part);
        continue;
      }
      out += "<" + one->debug + grouped(*one->value);
      if (one->conversion) out += "!" + std::string(1, one->conversion);
      if (!one->spec.empty()) out += ":" + parts(one->spec);
      out += ">";
    }
    return out;
  }
};

}  // namespace

std::string grouped(const Expression& expression) { return std::visit(Grouped{}, expression.kind); }

}  // namespace knead::tests
