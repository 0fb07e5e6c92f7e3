// syntax_as_json: reads sources, each as a line of JSON text, and answers each with a line: the
// tree as lists, as tests/interop/syntax_test.py makes them of Python's `ast`; or, where a source
// is refused, {"code", "message", "line", "column", "shown"}.

#include <iostream>

#include <nlohmann/json.hpp>

#include "runner/syntax/parse.h"
#include "runner/syntax/refusal.h"

namespace {

using namespace knead;
using namespace knead::syntax;
using Json = nlohmann::json;

/// Lists of [kind, place, parts…]; a place is [line, byte column, end line, end byte column].
class Dump {
 public:
  explicit Dump(const File& file) : file_(file) {}

  Json of(const Body& body) const {
    Json list = Json::array();
    for (const Statement& statement : body) {
      list.push_back(std::visit(
          [&](const auto& kind) { return (*this)(place(statement.range), kind); }, statement.kind));
    }
    return list;
  }

  Json of(const Expression& expression) const {
    return std::visit([&](const auto& kind) { return (*this)(place(expression.range), kind); },
                      expression.kind);
  }

  Json of(const ExpressionPtr& expression) const { return expression ? of(*expression) : Json(); }
  Json of(const std::string& text) const { return text; }
  Json of(const Keyword& one) const { return {one.name, begin(one.name_range), of(one.value)}; }
  Json of(const DictItem& item) const { return {of(item.key), of(item.value)}; }
  Json of(const ImportedName& one) const { return {one.name, one.alias, place(one.range)}; }
  Json of(const With::Item& item) const { return {of(item.context), of(item.target)}; }
  Json of(BinaryOperator op) const {
    static constexpr const char* kNames[] = {"+",  "-",  "*",  "@", "/", "//", "%",
                                             "**", "<<", ">>", "&", "|", "^"};
    return kNames[static_cast<int>(op)];
  }
  Json of(ComparisonOperator op) const {
    static constexpr const char* kNames[] = {"==", "!=", "<",      "<=", ">",
                                             ">=", "is", "is not", "in", "not in"};
    return kNames[static_cast<int>(op)];
  }
  Json of(const Except& one) const {
    return {place(one.range), of(one.type), one.name, of(one.body)};
  }
  Json of(const Generator& one) const {
    return {of(one.target), of(one.iterable), of(one.conditions), one.is_async};
  }
  Json of(const Parameter& one) const {
    return {static_cast<int>(one.kind), one.name, begin(one.range), of(one.annotation),
            of(one.fallback)};
  }

  template <typename Item>
  Json of(const std::vector<Item>& items) const {
    Json list = Json::array();
    for (const Item& item : items) list.push_back(of(item));
    return list;
  }

  /// Text and values by turns; `x=` of `{x=}` is text, as in `ast`.
  Json of(const std::vector<std::variant<std::string, Replacement>>& parts) const {
    Json list = Json::array();
    const auto add_text = [&](const std::string& text) {
      if (text.empty()) return;
      const bool joins = !list.empty() && list.back().is_string();
      if (joins) list.back() = list.back().get<std::string>() + text;
      if (!joins) list.push_back(text);
    };
    for (const auto& part : parts) {
      if (const auto* text = std::get_if<std::string>(&part)) {
        add_text(*text);
        continue;
      }
      const auto& one = std::get<Replacement>(part);
      add_text(one.debug);
      list.push_back(
          {of(one.value), std::string(one.conversion ? 1 : 0, one.conversion), of(one.spec)});
    }
    return list;
  }

  Json operator()(Json at, const Name& one) const { return {"Name", at, one.id}; }
  Json operator()(Json at, Constant one) const {
    static constexpr const char* kNames[] = {"None", "True", "False", "..."};
    return {"Constant", at, kNames[static_cast<int>(one)]};
  }
  Json operator()(Json at, const Integer& one) const {
    return {"Integer", at, one.value ? Json(*one.value) : Json("big")};
  }
  Json operator()(Json at, const Float& one) const { return {"Float", at, one.value}; }
  Json operator()(Json at, const Imaginary& one) const { return {"Imaginary", at, one.value}; }
  Json operator()(Json at, const Bytes& one) const {
    return {"Bytes", at, std::vector<unsigned char>(one.value.begin(), one.value.end())};
  }
  Json operator()(Json at, const String& one) const { return {"String", at, one.value}; }
  Json operator()(Json at, const FString& one) const {
    // Python 3.11 has no reliable places inside of an f-string.
    ++inside_;
    Json parts = of(one.parts);
    --inside_;
    return {"FString", at, std::move(parts)};
  }
  Json operator()(Json at, const List& one) const { return {"List", at, of(one.items)}; }
  Json operator()(Json at, const Tuple& one) const { return {"Tuple", at, of(one.items)}; }
  Json operator()(Json at, const Set& one) const { return {"Set", at, of(one.items)}; }
  Json operator()(Json at, const Dict& one) const { return {"Dict", at, of(one.items)}; }
  Json operator()(Json at, const Unary& one) const {
    static constexpr const char* kNames[] = {"-", "+", "~", "not"};
    return {"Unary", at, kNames[static_cast<int>(one.op)], of(one.operand)};
  }
  Json operator()(Json at, const Binary& one) const {
    return {"Binary", at, of(one.left), of(one.op), of(one.right)};
  }
  Json operator()(Json at, const Logical& one) const {
    return {"Logical", at, one.is_and, of(one.operands)};
  }
  Json operator()(Json at, const Comparison& one) const {
    return {"Comparison", at, of(one.operands), of(one.operators)};
  }
  Json operator()(Json at, const Starred& one) const { return {"Starred", at, of(one.value)}; }
  Json operator()(Json at, const Call& one) const {
    return {"Call", at, of(one.callee), of(one.arguments), of(one.keywords)};
  }
  Json operator()(Json at, const Attribute& one) const {
    return {"Attribute", at, of(one.value), one.name, end(one.name_range)};
  }
  Json operator()(Json at, const Subscript& one) const {
    return {"Subscript", at, of(one.value), of(one.index)};
  }
  Json operator()(Json at, const Slice& one) const {
    return {"Slice", at, of(one.begin), of(one.end), of(one.step)};
  }
  Json operator()(Json at, const Conditional& one) const {
    return {"Conditional", at, of(one.condition), of(one.body), of(one.otherwise)};
  }
  Json operator()(Json at, const Lambda& one) const {
    return {"Lambda", at, of(one.parameters), of(one.body)};
  }
  Json operator()(Json at, const Comprehension& one) const {
    static constexpr const char* kNames[] = {"ListComp", "SetComp", "DictComp", "GeneratorExp"};
    return {kNames[static_cast<int>(one.kind)], at, of(one.element), of(one.value),
            of(one.generators)};
  }
  Json operator()(Json at, const Walrus& one) const {
    return {"Walrus", at, one.name, of(one.value)};
  }
  Json operator()(Json at, const Yield& one) const {
    return {one.is_from ? "YieldFrom" : "Yield", at, of(one.value)};
  }
  Json operator()(Json at, const Await& one) const { return {"Await", at, of(one.value)}; }

  Json operator()(Json at, const ExpressionStatement& one) const {
    return {"Expr", at, of(one.value)};
  }
  Json operator()(Json at, const Assign& one) const {
    return {"Assign", at, of(one.targets), of(one.value)};
  }
  Json operator()(Json at, const AugmentedAssign& one) const {
    return {"AugAssign", at, of(one.target), of(one.op), of(one.value)};
  }
  Json operator()(Json at, const AnnotatedAssign& one) const {
    return {"AnnAssign", at, of(one.target), of(one.annotation), of(one.value)};
  }
  Json operator()(Json at, const Return& one) const { return {"Return", at, of(one.value)}; }
  Json operator()(Json at, const If& one) const {
    return {"If", at, of(one.condition), of(one.body), of(one.otherwise)};
  }
  Json operator()(Json at, const For& one) const {
    return {one.is_async ? "AsyncFor" : "For",
            at,
            of(one.target),
            of(one.iterable),
            of(one.body),
            of(one.otherwise)};
  }
  Json operator()(Json at, const While& one) const {
    return {"While", at, of(one.condition), of(one.body), of(one.otherwise)};
  }
  Json operator()(Json at, const With& one) const {
    return {one.is_async ? "AsyncWith" : "With", at, of(one.items), of(one.body)};
  }
  Json operator()(Json at, const Try& one) const {
    return {one.takes_groups ? "TryStar" : "Try",
            at,
            of(one.body),
            of(one.handlers),
            of(one.otherwise),
            of(one.at_the_end)};
  }
  Json operator()(Json at, const Declaration& one) const {
    return {one.is_global ? "Global" : "Nonlocal", at, one.names};
  }
  Json operator()(Json at, const Function& one) const {
    return {one.is_async ? "AsyncDef" : "Def",
            at,
            one.name,
            of(one.decorators),
            of(one.parameters),
            of(one.returns),
            of(one.body)};
  }
  Json operator()(Json at, const Class& one) const {
    return {"Class",          at,          one.name, of(one.decorators), of(one.bases),
            of(one.keywords), of(one.body)};
  }
  Json operator()(Json at, const Import& one) const {
    return {"Import", at, one.is_from, one.level, one.module, of(one.names)};
  }
  Json operator()(Json at, Simple one) const {
    static constexpr const char* kNames[] = {"Pass", "Break", "Continue"};
    return {kNames[static_cast<int>(one)], at};
  }
  Json operator()(Json at, const Assert& one) const {
    return {"Assert", at, of(one.condition), of(one.message)};
  }
  Json operator()(Json at, const Raise& one) const {
    return {"Raise", at, of(one.value), of(one.cause)};
  }
  Json operator()(Json at, const Delete& one) const { return {"Delete", at, of(one.targets)}; }

 private:
  Json position(std::uint32_t offset) const {
    if (inside_ > 0) return nullptr;
    const int line = file_.source->line_of(offset);
    return {line, offset - file_.source->line_start(line)};
  }

  Json begin(Range range) const { return position(range.begin); }
  Json end(Range range) const { return position(range.end); }
  Json place(Range range) const { return {begin(range), end(range)}; }

  const File& file_;
  mutable int inside_ = 0;
};

Json answer(const std::string& text) {
  const auto source = std::make_shared<schema::Source>("source.py", "/source.py", text);
  try {
    const std::shared_ptr<const File> file = parse(source);
    return Dump(*file).of(file->body);
  } catch (const Refusal& refusal) {
    const schema::Problem& problem = refusal.problem();
    return {{"code", problem.code},
            {"message", problem.message},
            {"line", problem.place.line()},
            {"column", problem.place.column()},
            {"shown", to_text(refusal)}};
  }
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << answer(Json::parse(line).get<std::string>()).dump() << std::endl;
  }
  return 0;
}
