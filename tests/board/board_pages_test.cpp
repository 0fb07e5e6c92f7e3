#include "runner/board/server/board.h"

#include <fstream>

#include <catch2/catch.hpp>

#include "tests/board/written_run.h"
#include "tests/folder.h"

using namespace knead;
using board::Board;
using tests::WrittenRun;

namespace {

namespace fs = std::filesystem;

board::Answer answer(Board& shown, const std::string& target) {
  const auto read = board::target_in(target);
  REQUIRE(read);
  return shown.answer(*read);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the board lists runs, and shows each with what follows its events") {
  const tests::Folder folder;
  WrittenRun run(folder / "digits");
  run.report(100, 2);
  run.report(200, 1);
  run.evaluated({200, "validation", {{"loss", 0.5}, {"accuracy", 0.75}}, 0.1});
  Board shown(folder.path());
  const board::Answer list = answer(shown, "/");
  CHECK(list.status == 200);
  CHECK(has(list.body, "<a class=\"run\" href=\"run?name=digits\">digits</a>"));
  CHECK(has(list.body, "accuracy 0.7500 at 200"));
  CHECK(has(list.body, "<script src=\"board.js\" data-folder=\"\" data-runs=\"[]\">"));
  CHECK(!has(list.body, "http-equiv=\"Content-Security-Policy\""));

  const board::Answer page = answer(shown, "/run?name=digits");
  CHECK(page.status == 200);
  CHECK(has(page.body, "<a href=\".\">all runs</a>"));
  CHECK(has(page.body, "data-runs=\"[&quot;digits&quot;]\""));
  CHECK(answer(shown, "/compare?run=digits").status == 200);
  CHECK(answer(shown, "/board.js").type == "text/javascript; charset=utf-8");
  CHECK(answer(shown, "/board.css").type == "text/css; charset=utf-8");

  shown.take_changes("");
  CHECK(shown.take_changes("").empty());
  run.report(300, 0.5);
  CHECK(shown.take_changes("") == std::set<std::string>{"digits"});
}

TEST_CASE("a change that a page has seen is still told to the others") {
  const tests::Folder folder;
  WrittenRun run(folder / "digits");
  Board shown(folder.path());
  shown.take_changes("");
  run.report(100, 2);
  answer(shown, "/");
  CHECK(shown.take_changes("") == std::set<std::string>{"digits"});
}

TEST_CASE("the board reads nothing outside of its folder") {
  const tests::Folder outside;
  WrittenRun secret(outside / "secret");
  secret.report(77777, 2);
  const tests::Folder folder;
  const WrittenRun run(folder / "digits");
  fs::create_directory_symlink(outside / "secret", folder / "link");
  fs::create_directory_symlink(outside.path(), folder / "above");
  fs::create_symlink(outside / "secret/metrics.jsonl", folder / "digits/metrics.jsonl");
  Board shown(folder.path());
  const std::string other = (outside / "secret").string();
  for (const std::string& name :
       {std::string("../" + outside.path().filename().string() + "/secret"), other,
        std::string("link"), std::string("above/secret"), std::string("digits/.."),
        std::string("./digits"), std::string("digits/../digits"), std::string("digits\0x", 8),
        std::string("nothing"), std::string(5000, 'a')}) {
    CAPTURE(name);
    CHECK(answer(shown, "/run?name=" + board::encoded(name)).status == 404);
    CHECK(answer(shown, "/compare?run=" + board::encoded(name)).status == 404);
    CHECK(answer(shown, "/sweep?name=" + board::encoded(name)).status == 404);
    CHECK(!shown.follow(name));
  }
  CHECK(answer(shown, "/list?folder=link").status == 404);
  CHECK(answer(shown, "/compare").status == 400);
  CHECK(answer(shown, "/etc/passwd").status == 404);
  CHECK(!has(answer(shown, "/run?name=digits").body, "77777"));
  CHECK(!has(answer(shown, "/").body, "77777"));
  CHECK(!has(answer(shown, "/").body, "above"));
}

TEST_CASE("names of folders stay text") {
  const tests::Folder folder;
  const WrittenRun run(folder / "<script>alert(1)<\"'&\xff");
  Board shown(folder.path());
  const std::string list = answer(shown, "/").body;
  CHECK(!has(list, "<script>alert"));
  CHECK(has(list, "&lt;script&gt;alert(1)"));
  const board::Answer page =
      answer(shown, "/run?name=" + board::encoded("<script>alert(1)<\"'&\xff"));
  CHECK(page.status == 200);
  CHECK(!has(page.body, "<script>alert"));
}

TEST_CASE("the folder of one run, of a sweep, and one that is missing") {
  const tests::Folder folder;
  const WrittenRun trial(folder / "search/sweep/0123456789abcdef");
  folder.write("search/sweep/sweep.jsonl", "");
  Board above(folder.path());
  CHECK(has(answer(above, "/").body, "sweep?name=search"));
  CHECK(answer(above, "/sweep?name=search").status == 200);
  CHECK(has(answer(above, "/list?folder=search/sweep").body, "0123456789abcdef"));
  CHECK(has(answer(above, "/run?name=search/sweep/0123456789abcdef").body,
            "list?folder=search/sweep"));
  Board one(folder / "search/sweep/0123456789abcdef");
  CHECK(has(answer(one, "/").body, "0123456789abcdef"));
  Board sweep(folder / "search");
  CHECK(has(answer(sweep, "/").body, "run?name=sweep/0123456789abcdef"));
  CHECK_THROWS(Board(folder / "nowhere"));
}

TEST_CASE("many folders are followed one after the other, and old ones are let go") {
  const tests::Folder folder;
  for (int i = 0; i < 10; ++i)
    WrittenRun(folder / ("s" + std::to_string(i) + "/sweep/trial")).finish();
  Board shown(folder.path());
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 10; ++i) {
      const std::string name = "s" + std::to_string(i) + "/sweep";
      CHECK(shown.follow(name));
      CHECK(shown.take_changes(name).empty());
      CHECK(answer(shown, "/run?name=" + name + "/trial").status == 200);
    }
  }
}

TEST_CASE("the policy of answers lets in what pages have, and nothing else") {
  const std::string policy = board::board_policy();
  CHECK(policy.starts_with("default-src 'none'; style-src 'self' 'sha256-"));
  CHECK(has(policy, "; script-src 'self' 'sha256-"));
  CHECK(policy.ends_with(
      "; base-uri 'none'; form-action 'none'; connect-src 'self'; frame-ancestors 'none'"));
  CHECK(!has(policy, "unsafe"));
}
