#include "runner/syntax/unknown_names.h"

#include <catch2/catch.hpp>

#include "runner/syntax/parse.h"

using namespace knead;
using namespace knead::syntax;

namespace {

/// Returns the unknown names of a file, function by function: "a b?", where a question mark says
/// that the name may not be read.
std::string unknown_names(const std::string& text) {
  const auto file = parse(std::make_shared<schema::Source>("model.py", "/model.py", text));
  std::string names;
  for (const Reading& reading : readings_of(*file)) {
    for (const UnknownName& one : reading.unknown)
      names += (names.empty() ? "" : " ") + one.id + (one.is_certain ? "" : "?");
  }
  return names;
}

}  // namespace

TEST_CASE("a name behind a statement that leaves the function is not certain to be read") {
  CHECK(unknown_names("def f():\n  a\n  return b\n  c\n") == "a b c?");
  CHECK(unknown_names("def f():\n  raise a\n  b\n") == "a b?");
  CHECK(unknown_names("def f(x):\n  with x:\n    return a\n  b\n") == "a b?");
  CHECK(unknown_names("def f(x):\n  if x: return a\n  b\n") == "a? b?");
  CHECK(unknown_names("def f(x):\n  if x: pass\n  else:\n    raise a\n  b\n") == "a? b?");
  CHECK(unknown_names("def f(x):\n  for y in x:\n    while y: return\n  a\n") == "a?");
  CHECK(unknown_names("raise a\nb\n") == "a b?");
}

TEST_CASE("a function that is left does not end the one around it") {
  CHECK(unknown_names("def f():\n  def g(): return a\n  b\n") == "b a");
  CHECK(unknown_names("def f():\n  return\n  def g(): a\n  b\n") == "b? a");
  CHECK(unknown_names("def f(): return\na\n") == "a");
}

TEST_CASE("a name behind break or continue is not certain to be read, one behind the loop is") {
  for (const std::string word : {"break", "continue"}) {
    CAPTURE(word);
    CHECK(unknown_names("def f(x):\n  for y in x:\n    " + word + "\n    a\n  b\n") == "a? b");
    CHECK(unknown_names("def f(x):\n  while x:\n    " + word + "\n    a\n  b\n") == "a? b");
  }
}

TEST_CASE("a := in a lambda binds a name there and not around it") {
  CHECK(unknown_names("lambda a: (w := a) + w\n") == "");
  CHECK(unknown_names("lambda a: [(w := b) for b in a] + [w]\n") == "");
  CHECK(unknown_names("lambda a: (w := a) + (lambda: w)()\n") == "");
  CHECK(unknown_names("(lambda a: (w := a)) + w\n") == "w");
  CHECK(unknown_names("(lambda a: (lambda: (w := a)) + w)\n") == "w?");
}

TEST_CASE("a := in a default of a lambda binds a name around it") {
  CHECK(unknown_names("(lambda a=(w := 1): a + w) + w\n") == "");
  CHECK(unknown_names("def f():\n  g = lambda a=(w := 1): a\n  return g() + w\n") == "");
}
