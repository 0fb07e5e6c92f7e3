#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runner/syntax/binding/bind_call.h"
#include "runner/syntax/binding/words.h"
#include "runner/syntax/parse.h"

using namespace knead;
using namespace knead::syntax;

namespace {

std::shared_ptr<const File> file_of(const std::string& text) {
  return parse(std::make_shared<schema::Source>("model.py", "/model.py", text));
}

/// A call as the fixture writes it: "0, *rest, b=1".
struct WrittenCall {
  ArgumentShape shape;
  std::vector<std::string> names;  // "a", "z": what the shape refers to
  std::vector<std::string> values;

  explicit WrittenCall(std::string text) {
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
      part.erase(0, part.find_first_not_of(' '));
      const std::size_t equals = part.find('=');
      if (part.starts_with("**")) {
        shape.has_double_star = true;
      } else if (part.starts_with('*')) {
        shape.has_star = true;
      } else if (equals != part.npos) {
        names.push_back(part.substr(0, equals));
      } else {
        ++shape.positional;
      }
      if (!part.starts_with('*')) values.push_back(part.substr(equals + 1));
    }
    shape.keywords = {names.begin(), names.end()};
  }

  const std::string& by_name(std::size_t index) const { return values[shape.positional + index]; }
};

/// "a=0, b=None, rest=(1, 2), others={'z': 3}", as Python prints what the parameters get.
std::string printed(const std::vector<ParameterShape>& parameters, const std::vector<Slot>& slots,
                    const WrittenCall& call) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    std::string value = "None";
    if (const auto* one = std::get_if<ByPosition>(&slots[i])) {
      value = call.values.at(one->index);
    } else if (const auto* named = std::get_if<ByName>(&slots[i])) {
      value = call.by_name(named->index);
    } else if (const auto* rest = std::get_if<RestOfPositional>(&slots[i])) {
      std::vector<std::string> values(
          call.values.begin() + static_cast<std::ptrdiff_t>(rest->begin),
          call.values.begin() + static_cast<std::ptrdiff_t>(call.shape.positional));
      value = fmt::format("({}{})", fmt::join(values, ", "), values.size() == 1 ? "," : "");
    } else if (const auto* others = std::get_if<RestOfKeywords>(&slots[i])) {
      std::vector<std::string> entries;
      for (const std::size_t index : others->indices) {
        entries.push_back(fmt::format("'{}': {}", call.names[index], call.by_name(index)));
      }
      value = fmt::format("{{{}}}", fmt::join(entries, ", "));
    }
    all.push_back(fmt::format("{}={}", parameters[i].name, value));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

/// Describes the result of a call in the words of the fixture.
std::string answer(const std::vector<ParameterShape>& parameters, const WrittenCall& call) {
  const Binding binding = bind_call(parameters, call.shape);
  const auto* fault = std::get_if<Fault>(&binding);
  if (call.shape.has_star || call.shape.has_double_star) return fault ? "! always" : "-> may";
  if (fault) return "! " + python_words(*fault);
  const std::string bound = printed(parameters, std::get<std::vector<Slot>>(binding), call);
  return bound.empty() ? "->" : "-> " + bound;
}

/// Binds the call in the second statement of a file to the function in the first.
Binding binding_in(const File& file) {
  const auto& function = std::get<Function>(file.body.at(0).kind);
  const auto& written = std::get<ExpressionStatement>(file.body.at(1).kind).value;
  return bind_call(shapes_of(function.parameters), shape_of(std::get<Call>(written.kind)));
}

/// Returns the alternative that each slot of such a call holds.
std::vector<std::size_t> kinds_of_slots(const std::string& text) {
  const auto file = file_of(text);
  const Binding binding = binding_in(*file);
  std::vector<std::size_t> all;
  for (const Slot& slot : std::get<std::vector<Slot>>(binding)) all.push_back(slot.index());
  return all;
}

}  // namespace

TEST_CASE("calls are bound and refused as Python does") {
  std::ifstream in(std::string(KNEAD_ROOT) + "/tests/fixtures/binding/calls.txt");
  std::shared_ptr<const File> file;
  std::vector<ParameterShape> parameters;
  int calls = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("def ")) {
      file = file_of(line + ":\n  pass\n");
      parameters = shapes_of(std::get<Function>(file->body.at(0).kind).parameters);
      continue;
    }
    const std::size_t end = line.find(") ");
    REQUIRE(end != line.npos);
    const WrittenCall call(line.substr(2, end - 2));
    const std::string found = answer(parameters, call);
    const std::string wanted = line.substr(end + 2);
    if (found != wanted) FAIL_CHECK(fmt::format("{}\n  here: {}", line, found));
    ++calls;
  }
  CHECK(calls > 3000);
}

TEST_CASE("the shape of a call is what its text shows") {
  const auto file = file_of("f(1, *a, 2, b=3, *c, **d)");
  const auto& written = std::get<ExpressionStatement>(file->body.at(0).kind).value;
  const ArgumentShape shape = shape_of(std::get<Call>(written.kind));
  CHECK(shape.positional == 2);
  CHECK(shape.keywords == std::vector<std::string_view>{"b"});
  CHECK(shape.has_star);
  CHECK(shape.has_double_star);
}

TEST_CASE("what a star may fill is hidden") {
  constexpr std::size_t kByPosition = 0, kByName = 1, kByDefault = 2, kHidden = 5;
  const std::string function = "def f(a, /, b, *, c=1):\n  pass\n";
  CHECK(kinds_of_slots(function + "f(1, 2)") == std::vector{kByPosition, kByPosition, kByDefault});
  CHECK(kinds_of_slots(function + "f(1, *x)") == std::vector{kHidden, kHidden, kByDefault});
  CHECK(kinds_of_slots(function + "f(*x, b=2)") == std::vector{kHidden, kByName, kByDefault});
  CHECK(kinds_of_slots(function + "f(1, **x)") == std::vector{kByPosition, kHidden, kHidden});
}

TEST_CASE("an unexpected name comes with the names that a call may use") {
  const auto file = file_of("def f(a, /, b, *rest, c):\n  pass\nf(0, 1, d=2)");
  const Binding binding = binding_in(*file);
  const auto& fault = std::get<UnexpectedKeyword>(std::get<Fault>(binding));
  CHECK(fault.name == "d");
  CHECK(fault.candidates == std::vector<std::string_view>{"b", "c"});
}
