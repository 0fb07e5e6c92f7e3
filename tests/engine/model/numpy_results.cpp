// Evaluates the lines of standard input, as tests/fixtures/models/numpy.txt has them, and prints a
// line of JSON for each: the result, or the words of the refusal.

#include <cstdio>
#include <filesystem>
#include <iostream>

#include <nlohmann/json.hpp>

#include "runner/syntax/refusal.h"
#include "tests/engine/model/numpy_snippets.h"
#include "tests/folder.h"

int main() {
  const knead::tests::Folder folder;
  for (std::string line; std::getline(std::cin, line);) {
    nlohmann::json made;
    try {
      made["result"] = knead::engine::tests::result_of_snippet(line, folder.path());
    } catch (const knead::syntax::Refusal& refusal) {
      made["error"] = refusal.problem().message;
      made["remedy"] = refusal.problem().hint;
    }
    std::puts(made.dump().c_str());
    std::fflush(stdout);  // what fails next is found by the line that is missing
  }
  return 0;
}
