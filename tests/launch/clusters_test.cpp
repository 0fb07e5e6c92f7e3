#include <array>
#include <cstdio>
#include <string>

#include <catch2/catch.hpp>

#include "runner/launch/clusters/kubernetes.h"
#include "runner/launch/clusters/shell_word.h"
#include "runner/launch/clusters/slurm.h"
#include "schema/document/error.h"

using namespace knead::launch;

namespace {

/// Returns what a shell makes of a word.
std::string read_by_shell(const std::string& word) {
  FILE* const shell = popen(("printf %s " + word).c_str(), "r");
  REQUIRE(shell);
  std::string out;
  std::array<char, 256> part;
  while (const std::size_t size = fread(part.data(), 1, part.size(), shell))
    out.append(part.data(), size);
  REQUIRE(pclose(shell) == 0);
  return out;
}

/// Returns the rest of the first line that begins so, blanks aside; "(none)" if there is no such
/// line.
std::string after(const std::string& beginning, const std::string& text) {
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::size_t first = text.find_first_not_of(' ', at);
    if (text.compare(first, beginning.size(), beginning) == 0)
      return text.substr(first + beginning.size(),
                         text.find('\n', first) - first - beginning.size());
  }
  return "(none)";
}

std::string time_of(std::optional<double> limit) {
  return after("#SBATCH --time=", slurm_script({.name = "a", .time_limit = limit}));
}

std::string name_on_kubernetes(const std::string& run) {
  return after("name: ", kubernetes_manifest({.name = run}));
}

}  // namespace

TEST_CASE("a shell reads a word back as it was") {
  for (const char* word :
       {"",      "a.yaml", "-x",  "~",  "it's",  "a b",      "$HOME",     "`id`",
        "$(id)", "a\nb",   "\n",  "\\", "\\n",   "\"",       "''",        "!!",
        "{a,b}", "*",      "a;b", "#",  "é\xff", "x=[1, 2]", "a&b|c>d<e", "\t"}) {
    INFO(word);
    CHECK(read_by_shell(shell_word(word)) == word);
  }
  CHECK(shell_word("batch.micro=8") == "batch.micro=8");
  CHECK(shell_word("runs/a-b_c.yaml") == "runs/a-b_c.yaml");
}

TEST_CASE("the time of a job has whole minutes, 10 more than the run") {
  CHECK(time_of(std::nullopt) == "(none)");
  CHECK(time_of(0.5) == "00:11:00");
  CHECK(time_of(60) == "00:11:00");
  CHECK(time_of(61) == "00:12:00");
  CHECK(time_of(4 * 3600) == "04:10:00");
  CHECK(time_of(24 * 3600 - 600) == "1-00:00:00");
  CHECK(time_of(100 * 24 * 3600.0) == "100-00:10:00");
}

TEST_CASE("the name of a run becomes one that pods can have") {
  CHECK(name_on_kubernetes("digits") == "knead-digits");
  CHECK(name_on_kubernetes("0") == "knead-0");
  CHECK(name_on_kubernetes("Big_Model.v2-") == "knead-big-model-v2");
  CHECK(name_on_kubernetes(std::string(64, 'a')) == "knead-" + std::string(48, 'a'));
  CHECK(name_on_kubernetes(std::string(47, 'a') + "-b") == "knead-" + std::string(47, 'a'));
}

TEST_CASE("Kubernetes replaces nothing in a word") {
  const auto written = [](const std::string& word) {
    const std::string manifest = kubernetes_manifest({.name = "a", .words = {word}});
    return after("- ", manifest.substr(manifest.find("- \"--\"") + 6));
  };
  CHECK(written("a.yaml") == "a.yaml");
  CHECK(written("$(RANK) ${A} $$") == "\"$$(RANK) $${A} $$$$\"");
  CHECK(written("null") == "\"null\"");
  CHECK(written("a\nb") == "\"a\\nb\"");
  CHECK_THROWS_WITH(written("\xff.yaml"), "a manifest cannot hold '\xff.yaml', which is not UTF-8");
}
