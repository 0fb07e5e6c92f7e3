#include "runner/run/notice.h"

#include <catch2/catch.hpp>

using namespace knead;
using run::RunEnding;
using On = recipe::Notice::On;
using Type = recipe::Notice::Type;

namespace {

recipe::Recipe recipe_with(const std::vector<recipe::Notice>& notices) {
  recipe::Recipe recipe;
  recipe.notify = notices;
  return recipe;
}

RunEnding ending(Exit code) {
  return {"digits <1>", "/runs/digits", "host", code, 940, "validation/loss 0.53 at step 846"};
}

std::string body_of(Type type, Exit code) {
  const auto notices = run::notices_of(
      recipe_with({{"https://a/b", {On::finished, On::failed, On::stopped}, type}}), ending(code));
  REQUIRE(notices.size() == 1);
  CHECK(notices[0].url == "https://a/b");
  return notices[0].body;
}

}  // namespace

TEST_CASE("a notice for programs has the numbers") {
  CHECK(body_of(Type::json, Exit::done) ==
        R"({"name":"digits <1>","end":"finished","exit_code":0,"step":940,)"
        R"("best":"validation/loss 0.53 at step 846","host":"host","folder":"/runs/digits",)"
        R"("text":"digits <1> finished after step 940; best validation/loss 0.53 at step 846 )"
        R"x((host:/runs/digits)"})x");
}

TEST_CASE("a notice for Slack or Discord is a text in which no name is markup or calls anybody") {
  CHECK(body_of(Type::slack, Exit::rank_lost) ==
        R"({"text":"digits &lt;1&gt; failed after step 940: a process was lost or hung; )"
        R"x(best validation/loss 0.53 at step 846 (host:/runs/digits)"})x");
  CHECK(body_of(Type::discord, Exit::stopped) ==
        R"({"content":"digits <1> stopped after step 940: the same command goes on; )"
        R"x(best validation/loss 0.53 at step 846 (host:/runs/digits)",)x"
        R"("allowed_mentions":{"parse":[]}})");
}

TEST_CASE("only those are told who asked for this end, and no empty address") {
  const recipe::Recipe recipe = recipe_with({{"a", {On::failed}, Type::json},
                                             {"b", {On::finished}, Type::json},
                                             {"c", {On::stopped}, Type::json},
                                             {"", {On::finished, On::failed}, Type::json}});
  const auto told = [&](Exit code) {
    std::string urls;
    for (const run::Notice& each : run::notices_of(recipe, ending(code))) urls += each.url;
    return urls;
  };
  CHECK(told(Exit::done) == "b");
  CHECK(told(Exit::expectation_failed) == "a");
  CHECK(told(Exit::training_failed) == "a");
  CHECK(told(Exit::stopped) == "c");
  CHECK(told(Exit::interrupted) == "c");
}

TEST_CASE("notices are lines that read back") {
  const std::vector<run::Notice> notices{{"https://a/b?c=\n\"d\"", "{}"}, {"x", "\xff"}};
  const auto read = run::notices_in(run::to_lines(notices));
  REQUIRE(read.size() == 2);
  CHECK(read[0].url == notices[0].url);
  CHECK(read[1].body == "\xef\xbf\xbd");
}
