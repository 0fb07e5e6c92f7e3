// What other programs read of knead's output is JSON.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/folder.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// What knead prints for some arguments, called in a folder.
json printed(const std::string& arguments, const fs::path& folder = KNEAD_ROOT) {
  const std::string command =
      "cd '" + folder.string() + "' && '" KNEAD_BUILD "/knead' " + arguments;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  pclose(pipe);
  INFO(text);
  REQUIRE(json::accept(text));
  return json::parse(text);
}

/// Calls `visit` for each object of a document, itself included.
template <class Visit>
void for_each_object(const json& value, Visit visit) {
  if (value.is_object()) visit(value);
  for (const json& below : value) {
    if (below.is_structured()) for_each_object(below, visit);
  }
}

}  // namespace

TEST_CASE("the schema is closed draft-07 JSON Schema without dangling references") {
  const json schema = printed("schema");
  CHECK(schema.at("$schema") == "http://json-schema.org/draft-07/schema#");
  CHECK(schema.at("properties").contains("optimizer"));
  CHECK(schema.at("additionalProperties") == false);
  for_each_object(schema, [&](const json& object) {
    const auto reference = object.find("$ref");
    if (reference == object.end() || !reference->is_string()) return;
    CHECK(object.size() == 1);  // draft-07 ignores what stands beside it
    const std::string target = *reference;
    REQUIRE(target.starts_with("#"));
    CHECK_NOTHROW(schema.at(json::json_pointer(target.substr(1))));
  });
}

TEST_CASE("every problem of lint has the same members") {
  const knead::tests::Folder folder;
  folder.write("a \"b\" \\ 日本.yaml", "version: 1\nname: x\nepochs: 3\n");
  folder.write("bytes.yaml", "name: \"\xFF\xFE\"\n");
  folder.write("control.yaml", "name: \x1B[31mred\n");
  folder.write("tab.yaml", "model:\n\tsource: a\n");
  const json found =
      printed("lint --format json *.yaml missing.yaml 'new\nline.yaml'", folder.path());
  CHECK(found.size() == 3);
  CHECK(found.at("errors") ==
        found.at("problems").size() - found.at("warnings").get<std::size_t>());
  std::set<std::string> files;
  for (const json& problem : found.at("problems")) {
    CAPTURE(problem);
    CHECK(problem.size() == 8);
    CHECK(problem.at("code").get<std::string>().size() > 3);
    CHECK((problem.at("severity") == "error" || problem.at("severity") == "warning"));
    CHECK(problem.at("line").get<int>() >= 1);
    CHECK(problem.at("column").get<int>() >= 1);
    CHECK(problem.at("end_column").get<int>() >= problem.at("column").get<int>());
    CHECK(!problem.at("message").get<std::string>().empty());
    CHECK(problem.at("hint").is_string());
    files.insert(problem.at("file"));
  }
  CHECK(files == std::set<std::string>{"a \"b\" \\ 日本.yaml", "bytes.yaml", "control.yaml",
                                       "missing.yaml", "new\nline.yaml", "tab.yaml"});
}

TEST_CASE("the problems of the model count among those that lint does not show") {
  const knead::tests::Folder folder;
  folder.write("model.py", "import torch.nn as nn\n\nclass Net(nn.Module):\n    pass\n");
  std::string recipe = "model: {source: model.py, class: Missing}\n";
  for (int i = 0; i < 1002; ++i) recipe += "unknown" + std::to_string(i) + ": 1\n";
  folder.write("many.yaml", recipe);
  const json found = printed("lint --format json many.yaml", folder.path());
  const json& problems = found.at("problems");
  REQUIRE(problems.size() == 1001);
  CHECK(problems.at(0).at("code") == "unknown-class");
  CHECK(problems.back().at("code") == "too-many-problems");
  CHECK(problems.back().at("message") == "3 more problems are not shown");
}

TEST_CASE("no problem is JSON too") {
  CHECK(printed("lint --format json recipes/digits.yaml") ==
        json{{"problems", json::array()}, {"errors", 0}, {"warnings", 0}});
}
