#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runner/syntax/parse.h"
#include "runner/syntax/refusal.h"
#include "tests/bad_recipes/header.h"

using namespace knead;
using namespace knead::tests;

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(KNEAD_ROOT) / "tests" / "syntax" / "wrong";

std::string refusal_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// What is wrong with a file, as its header says it.
std::string found_in(const std::string& name) {
  const auto source =
      std::make_shared<schema::Source>(name, kFolder / name, refusal_text(kFolder / name));
  try {
    syntax::parse(source);
  } catch (const syntax::Refusal& refusal) {
    return in_header_words({refusal.problem()}, name, KNEAD_ROOT);
  }
  return "# no problem\n";
}

}  // namespace

TEST_CASE("every wrong file is refused in the words and at the place of its header") {
  REQUIRE(files().size() > 100);
  for (const std::string& name : files()) {
    const std::string found = found_in(name);
    CHECK(found != "# no problem\n");
    if (found == read_header(refusal_text(kFolder / name)).problems) continue;
    FAIL_CHECK(fmt::format("the header of {} should say\n{}", (kFolder / name).string(), found));
  }
}

// Hidden: `syntax_test [rewrite]` writes what comes out now into every header. Read the difference
// before you keep it.
TEST_CASE("rewrites the headers of wrong files", "[.][rewrite]") {
  for (const std::string& name : files()) {
    // A header moves every place below it.
    for (int round = 0; round < 3; ++round) {
      const std::string text = refusal_text(kFolder / name);
      const std::string found = found_in(name);
      std::ofstream(kFolder / name, std::ios::binary)
          << found << text.substr(read_header(text).length);
    }
  }
}
