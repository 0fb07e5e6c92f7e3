#include "runner/track/journal.h"

#include <csignal>
#include <limits>
#include <vector>

#include <sys/resource.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

using namespace knead;
using Json = nlohmann::ordered_json;
using track::Journal;

namespace {

/// Takes warnings down.
struct Warnings {
  std::vector<std::string> texts;
  track::Warn take() {
    return [this](const std::string& text) { texts.push_back(text); };
  }
};

using Texts = std::vector<std::string>;

/// While it lives, no file grows beyond `bytes`: a full disk for those who write.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

}  // namespace

TEST_CASE("a journal is a line of JSON for each append, in a file for its owner only") {
  const tests::Folder folder;
  Warnings warnings;
  Journal journal(folder / "a.jsonl", Journal::kEverything, warnings.take());
  CHECK(journal.offset() == 0);
  journal.append({{"step", 1}, {"loss", 0.1}});
  CHECK(journal.offset() == 22);
  journal.append({{"step", 2}, {"loss", 1e-300}});
  journal.sync();
  CHECK(tests::text_of(folder / "a.jsonl") ==
        "{\"step\":1,\"loss\":0.1}\n{\"step\":2,\"loss\":1e-300}\n");
  struct stat facts {};
  REQUIRE(::stat((folder / "a.jsonl").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
  CHECK(warnings.texts.empty());
}

TEST_CASE("a number comes back as it was, and JSON's missing numbers are texts") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(track::number_as_json(std::numeric_limits<double>::quiet_NaN()).dump() == "\"NaN\"");
  CHECK(track::number_as_json(infinity).dump() == "\"Infinity\"");
  CHECK(track::number_as_json(-infinity).dump() == "\"-Infinity\"");
  CHECK(std::isnan(track::number_from_json("NaN")));
  for (const double value :
       {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, infinity, -infinity}) {
    const std::string text = track::number_as_json(value).dump();
    CHECK(track::number_from_json(Json::parse(text)) == value);
  }
  CHECK_THROWS_AS(track::number_from_json("many"), nlohmann::json::exception);
  CHECK_THROWS_AS(track::number_from_json(nullptr), nlohmann::json::exception);
}

TEST_CASE("a name that is no UTF-8 is no reason to stop") {
  const tests::Folder folder;
  Warnings warnings;
  Journal journal(folder / "a.jsonl", Journal::kEverything, warnings.take());
  journal.append({{"name", "\xff"}});
  CHECK(tests::text_of(folder / "a.jsonl") == "{\"name\":\"\xEF\xBF\xBD\"}\n");
}

TEST_CASE("a journal goes on where it ended, a torn last line is cut off") {
  const tests::Folder folder;
  Warnings warnings;
  for (const std::string torn : {"", "{\"st", "x"}) {
    tests::write_text(folder / "a.jsonl", "{\"step\":1}\n" + torn);
    Journal journal(folder / "a.jsonl", Journal::kEverything, warnings.take());
    CHECK(journal.offset() == 11);
    journal.append({{"step", 2}});
    CHECK(tests::text_of(folder / "a.jsonl") == "{\"step\":1}\n{\"step\":2}\n");
  }
  tests::write_text(folder / "a.jsonl", std::string(10000, 'x'));
  CHECK(Journal(folder / "a.jsonl", Journal::kEverything, warnings.take()).offset() == 0);
  CHECK(tests::text_of(folder / "a.jsonl").empty());
  const std::string two_lines = std::string(9000, 'x') + "\n" + std::string(9000, 'y');
  tests::write_text(folder / "a.jsonl", two_lines);
  CHECK(Journal(folder / "a.jsonl", Journal::kEverything, warnings.take()).offset() == 9001);
  CHECK(warnings.texts.empty());
}

TEST_CASE("a journal is cut back to a position") {
  const tests::Folder folder;
  Warnings warnings;
  const std::string text = "{\"step\":1}\n{\"step\":2}\n{\"step\":3}\n";
  tests::write_text(folder / "a.jsonl", text);
  {
    Journal journal(folder / "a.jsonl", 22, warnings.take());
    CHECK(tests::text_of(folder / "a.jsonl") == text.substr(0, 22));
    journal.append({{"step", 4}});
  }
  CHECK(tests::text_of(folder / "a.jsonl") == "{\"step\":1}\n{\"step\":2}\n{\"step\":4}\n");
  // A position within a line was never one of ours: the whole lines before it stay.
  Journal(folder / "a.jsonl", 30, warnings.take());
  CHECK(tests::text_of(folder / "a.jsonl") == text.substr(0, 22));
  Journal(folder / "a.jsonl", 0, warnings.take());
  CHECK(tests::text_of(folder / "a.jsonl").empty());
  CHECK(warnings.texts.empty());
}

TEST_CASE("a journal that lost its end is kept as it is, with a warning") {
  const tests::Folder folder;
  Warnings warnings;
  const std::string path = folder / "a.jsonl";
  tests::write_text(path, "{\"step\":1}\n{\"st");
  CHECK(Journal(path, 33, warnings.take()).offset() == 11);
  CHECK(tests::text_of(path) == "{\"step\":1}\n");
  CHECK(warnings.texts ==
        Texts{path + " lost its last 22 bytes, probably when the machine stopped"});
}

TEST_CASE("a journal that cannot be opened is an error") {
  const tests::Folder folder;
  Warnings warnings;
  CHECK_THROWS_WITH(Journal(folder.path(), 0, warnings.take()),
                    "cannot open " + folder.path().string() + ": Is a directory");
  CHECK_THROWS_WITH(
      Journal(folder / "no/a.jsonl", 0, warnings.take()),
      "cannot open " + (folder / "no/a.jsonl").string() + ": No such file or directory");
}

TEST_CASE("on a full disk the run goes on, it is said once, and lines wait without being torn") {
  const tests::Folder folder;
  Warnings warnings;
  const std::string path = folder / "a.jsonl";
  Journal journal(path, 0, warnings.take());
  journal.append({{"step", 1}});
  {
    const SmallDisk disk(16);
    journal.append({{"step", 2}});
    journal.append({{"step", 3}});
    CHECK(journal.failures() == 2);
    CHECK(journal.offset() == 11);
    CHECK(tests::text_of(path) == "{\"step\":1}\n");
  }
  journal.append({{"step", 4}});
  CHECK(tests::text_of(path) == "{\"step\":1}\n{\"step\":2}\n{\"step\":3}\n{\"step\":4}\n");
  CHECK(journal.offset() == 44);
  CHECK(warnings.texts ==
        Texts{"cannot write to " + path + ": File too large; the run goes on, and its lines wait"});
  {
    const SmallDisk disk(50);
    journal.append({{"step", 5}});
    CHECK(journal.offset() == 44);
  }
  journal.sync();
  CHECK(journal.offset() == 55);
}

TEST_CASE("a journal is a regular file, which nobody has linked to another place") {
  Warnings warnings;
  CHECK_THROWS_WITH(Journal("/dev/full", Journal::kEverything, warnings.take()),
                    "cannot open /dev/full: No such device or address");
  const tests::Folder folder;
  std::filesystem::create_symlink("/dev/full", folder / "a.jsonl");
  CHECK_THROWS_WITH(
      Journal(folder / "a.jsonl", Journal::kEverything, warnings.take()),
      "cannot open " + (folder / "a.jsonl").string() + ": Too many levels of symbolic links");
}
