#include "runner/data/tar/tar_walk.h"

#include <cstdlib>
#include <map>

#include "tests/data/arrays/files.h"
#include "tests/data/tar/tar_bytes.h"

using namespace knead;
using namespace knead::tests;
using data::TarWalk;

namespace {

/// The files of an archive and what is in them.
std::map<std::string, std::string> contents(const std::filesystem::path& path) {
  const files::OpenFile archive(path);
  TarWalk walk(archive, path.string());
  std::map<std::string, std::string> out;
  while (const auto member = walk.next()) {
    std::string text(member->size, '\0');
    archive.read(member->begin, std::as_writable_bytes(std::span(text)));
    out[member->name] = text;
  }
  return out;
}

/// What is said of an archive, behind its name.
std::string walk_refusal(const std::string& bytes) {
  const Folder folder;
  const auto path = folder.write("a.tar", bytes);
  try {
    contents(path);
  } catch (const Error& error) {
    const std::string what = error.what();
    REQUIRE(what.starts_with(path.string() + ": "));
    REQUIRE_FALSE(error.remedy().empty());
    return what.substr(path.string().size() + 2);
  }
  return "";
}

const std::string kLong(90, 'd');

}  // namespace

TEST_CASE("archives are read as tar writes them, whatever its format") {
  const Folder folder;
  const std::string deep = "in/" + kLong + "/" + kLong + "/a.txt";
  std::map<std::string, std::string> expected{{"in/a.txt", "one"}, {"in/b.cls", ""}};
  folder.write("in/a.txt", "one");
  folder.write("in/b.cls", "");
  for (const std::string format : {"v7", "ustar", "oldgnu", "gnu", "pax"}) {
    if (format == "ustar") {  // what is longer than 100 is for these formats only
      folder.write(deep, std::string(1300, 'x'));
      expected[deep] = std::string(1300, 'x');
    }
    if (format == "gnu") {
      const std::string name = "in/" + std::string(200, 'n') + ".txt";
      folder.write(name, "long");
      expected[name] = "long";
    }
    const auto path = folder.path() / (format + ".tar");
    const std::string command = "cd " + folder.path().string() +
                                " && ln -sf a.txt in/link.txt && tar --format=" + format + " -cf " +
                                path.string() + " in";
    REQUIRE(std::system(command.c_str()) == 0);
    CAPTURE(format);
    CHECK(contents(path) == expected);
  }
}

TEST_CASE("sizes are also written to base 256, and in what pax says of a file") {
  const Folder folder;
  const std::string base_256 = std::string("\x80", 1) + std::string(10, '\0') + "\x03";
  CHECK(contents(folder.write("a.tar", tar({{"a.txt", "one", '0', base_256}}))) ==
        std::map<std::string, std::string>{{"a.txt", "one"}});
  const std::string pax = pax_record("size", "3") + pax_record("path", "z/" + kLong + ".txt");
  const std::string bytes =
      tar_member({"pax", pax, 'x'}) + tar({{"a.txt", "one", '0', octal(0, 11)}, {"b.txt", "four"}});
  CHECK(contents(folder.write("b.tar", bytes)) ==
        std::map<std::string, std::string>{{"z/" + kLong + ".txt", "one"}, {"b.txt", "four"}});
}

TEST_CASE("folders, links and what is about the archive are passed over") {
  const Folder folder;
  CHECK(contents(folder.write("a.tar", tar({{"comment", pax_record("comment", "c"), 'g'},
                                            {"a/", "", '5'},
                                            {"b/", "", '\0'},
                                            {"l.txt", "", '2', octal(7, 11)},
                                            {"h.txt", "", '1', octal(9, 11)},
                                            {"label", "", 'V'},
                                            {"old.txt", "two", '\0'}}))) ==
        std::map<std::string, std::string>{{"old.txt", "two"}});
}

TEST_CASE("an archive that is cut short anywhere is refused") {
  const std::string whole = tar({{"x", pax_record("path", "b.txt"), 'x'},
                                 {"a.txt", "some words"},
                                 {"L", kLong + ".cls", 'L'},
                                 {"c.cls", std::string(700, '7')}});
  const std::size_t end = whole.size() - 512;  // of the first of the two blocks that end it
  for (std::size_t size = 1; size < end; size += size % 512 < 4 || size % 512 > 508 ? 1 : 97) {
    CAPTURE(size);
    CHECK(walk_refusal(whole.substr(0, size)) != "");
  }
  CHECK(walk_refusal(whole.substr(0, end)) == "");
  CHECK(walk_refusal(whole.substr(0, end - 512)) ==
        "the archive is cut short: its end is missing (byte 4608)");
  CHECK(walk_refusal(tar({{"a.txt", "one"}}).substr(0, 514)) ==
        "'a.txt' has 3 bytes, and 2 follow: the archive is cut short (byte 0)");
}

TEST_CASE("headers that lie are refused with the byte") {
  std::string damaged = tar({{"a.txt", "one"}, {"b.txt", "two"}});
  damaged[1024 + 3] = 'X';
  CHECK(walk_refusal(damaged) ==
        "the header of a file is damaged, its checksum is wrong (byte 1024)");
  CHECK(walk_refusal(std::string(600, 'x')) == "no tar archive (byte 0)");
  CHECK(walk_refusal("") == "no tar archive, it is empty");
  CHECK(walk_refusal(tar({{"a.txt", "one", '0', octal(2000, 11)}})) ==
        "'a.txt' has 2000 bytes, and 1536 follow: the archive is cut short (byte 0)");
  CHECK(walk_refusal(tar({{"a.txt", "one", '0', "0000000000z"}})) ==
        "the size of a file is no number (byte 124)");
  CHECK(walk_refusal(tar({{"a.txt", "one", '0', std::string(12, '\xff')}})) ==
        "the size of a file is no number (byte 124)");
  CHECK(walk_refusal(tar({{"a.txt", "one", '0', "777777777777"}})) ==
        "'a.txt' has 68719476735 bytes, and 1536 follow: the archive is cut short (byte 0)");
  CHECK(walk_refusal(tar({{"x", "99 path=a\n", 'x'}, {"a.txt", ""}})) ==
        "what is said about a file is damaged (byte 512)");
  CHECK(walk_refusal(tar({{"x", "10 path=ab", 'x'}, {"a.txt", ""}})) ==
        "what is said about a file is damaged (byte 512)");
  CHECK(walk_refusal(tar({{"x", pax_record("size", "-1"), 'x'}, {"a.txt", ""}})) ==
        "the size of a file is no number (byte 512)");
  CHECK(walk_refusal(tar({{"x", pax_record("GNU.sparse.major", "1"), 'x'}, {"a.txt", ""}})) ==
        "a file is stored as a sparse one (byte 512)");
  CHECK(walk_refusal(tar({{"a\nb.txt", "", 'S'}})) == "'a?b.txt' is a sparse file (byte 0)");
  CHECK(walk_refusal(tar({{"L", std::string((1 << 20) + 1, 'n'), 'L'}})) ==
        "a name of 1048577 bytes, or more about a file than that (byte 0)");
}
