#include <cmath>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runner/syntax/refusal.h"
#include "tests/engine/model/numpy_snippets.h"
#include "tests/folder.h"

using knead::engine::tests::result_of_snippet;
using nlohmann::json;

namespace {

/// The numbers in a text, and the text without them.
struct Parts {
  std::vector<double> numbers;
  std::string rest;
};

Parts parts_of(const std::string& text) {
  static const std::regex kNumber("[0-9]+\\.[0-9]*(e[+-][0-9]+)?");
  Parts made;
  auto begin = text.begin();
  for (std::sregex_iterator it(text.begin(), text.end(), kNumber), end; it != end; ++it) {
    made.numbers.push_back(std::stod(it->str()));
    made.rest += std::string(begin, text.begin() + it->position()) + "#";
    begin = text.begin() + it->position() + it->length();
  }
  // The text of an array is padded to the width of its numbers.
  made.rest += std::string(begin, text.end());
  std::erase(made.rest, ' ');
  return made;
}

/// Returns whether two results differ by their numbers only, and by a share of at most `bound`.
bool are_close(const std::string& a, const std::string& b, double bound) {
  const Parts left = parts_of(a), right = parts_of(b);
  if (left.rest != right.rest || left.numbers.size() != right.numbers.size()) return false;
  for (std::size_t i = 0; i < left.numbers.size(); ++i) {
    const double x = left.numbers[i], y = right.numbers[i];
    if (!(std::abs(x - y) <= bound * std::max(std::abs(x), 1e-3))) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("expressions of NumPy give what NumPy gives") {
  const json recorded =
      json::parse(knead::tests::text_of(KNEAD_ROOT "/tests/fixtures/models/numpy.json"));
  REQUIRE(recorded["results"].size() >= 250);
  const knead::tests::Folder folder;
  for (const json& one : recorded["results"]) {
    const auto line = one["line"].get<std::string>();
    INFO(line);
    try {
      const std::string result = result_of_snippet(line, folder.path());
      if (!one.contains("result")) {
        FAIL_CHECK("NumPy says: " + one["error"].get<std::string>());
        continue;
      }
      const auto wanted = one["result"].get<std::string>();
      const double bound = one.value("bound", 0.0);
      if (!(bound > 0 && are_close(result, wanted, bound))) CHECK(result == wanted);
    } catch (const knead::syntax::Refusal& refusal) {
      if (one.contains("result")) FAIL_CHECK(knead::syntax::to_text(refusal));
      if (one.contains("error")) CHECK(refusal.problem().message == one["error"]);
    }
  }
}
