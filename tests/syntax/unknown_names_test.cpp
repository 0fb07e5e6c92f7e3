#include "runner/syntax/names/unknown_names.h"

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

TEST_CASE("a name in a try is not certain to be read, one in a finally is") {
  CHECK(unknown_names("try: a\nexcept b: c\nelse: d\nfinally: e\nf\n") == "a? b? c? d? e f");
  CHECK(unknown_names("try: a\nfinally: b\n") == "a? b");
  CHECK(unknown_names("def f():\n  try: return\n  finally: a\n  b\n") == "a? b?");
  CHECK(unknown_names("try: import a\nexcept ImportError: a = None\na\n") == "");
}

TEST_CASE("the name of an exception is known in its scope") {
  CHECK(unknown_names("try: pass\nexcept ValueError as e: e\n") == "");
  CHECK(unknown_names("def f():\n  try: pass\n  except ValueError as e: e\ne\n") == "e");
}

TEST_CASE("a name behind a yield is not certain to be read") {
  CHECK(unknown_names("def f():\n  yield a\n  b\n") == "a b?");
  CHECK(unknown_names("def f():\n  x = yield\n  return b\n") == "b?");
  CHECK(unknown_names("async def f():\n  await a\n  b\n") == "a b");
}

TEST_CASE("a name that a function declares global and binds is a name of the file") {
  CHECK(unknown_names("def f():\n  global x\n  x = 1\nx\ndef g(): x\n") == "");
  CHECK(unknown_names("class A:\n  def f(self):\n    global x\n    import x\nx\n") == "");
  CHECK(unknown_names("global x\nx = 1\nx\n") == "");
  CHECK(unknown_names("def f():\n  global x\n  x\n") == "x");
  CHECK(unknown_names("def f():\n  x = 1\n  def g():\n    global y\n    y = x\n  y\n") == "");
}

TEST_CASE("a nonlocal name is known where the function around it binds it") {
  CHECK(unknown_names("def f():\n  x = 1\n  def g():\n    nonlocal x\n    x += 1\n") == "");
  CHECK(unknown_names("def f(x):\n  def g():\n    nonlocal x\n    x = 1\nx\n") == "x");
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
