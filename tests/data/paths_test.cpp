#include "runner/data/source/paths.h"

#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

using knead::data::named_files;

namespace {

/// The names that a path stands for, in the folder.
std::vector<std::string> named(const knead::tests::Folder& folder, const std::string& path) {
  std::vector<std::string> names;
  for (const auto& file : named_files({folder.path() / path})) {
    names.push_back(file.filename().string());
  }
  return names;
}

void make(const knead::tests::Folder& folder, const std::string& name) {
  std::ofstream(folder.path() / name) << "x";
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("A range in a path counts, with the digits of its first number") {
  const knead::tests::Folder folder;
  CHECK(named(folder, "s-{008..011}.tar") ==
        Names{"s-008.tar", "s-009.tar", "s-010.tar", "s-011.tar"});
  CHECK(named(folder, "s-{9..11}.tar") == Names{"s-9.tar", "s-10.tar", "s-11.tar"});
  CHECK(named(folder, "s-{3..1}.tar") == Names{"s-3.tar", "s-2.tar", "s-1.tar"});
  CHECK(named(folder, "{0..1}-{0..1}") == Names{"0-0", "0-1", "1-0", "1-1"});
}

TEST_CASE("A range and a pattern go together") {
  const knead::tests::Folder folder;
  make(folder, "a-1.tar");
  make(folder, "b-1.tar");
  make(folder, "a-2.tar");
  CHECK(named(folder, "*-{2..1}.tar") == Names{"a-2.tar", "a-1.tar", "b-1.tar"});
}

TEST_CASE("A file may have a range in its name") {
  const knead::tests::Folder folder;
  make(folder, "s-{0..3}.tar");
  CHECK(named(folder, "s-{0..3}.tar") == Names{"s-{0..3}.tar"});
  CHECK(named(folder, "s-{a..c}.tar") == Names{"s-{a..c}.tar"});
}

TEST_CASE("A range of very many files is refused") {
  const knead::tests::Folder folder;
  CHECK(named(folder, "{0..99999}").size() == 100'000);
  CHECK_THROWS_WITH(named(folder, "{0..100000}"), "{0..100000} stands for 100001 files");
}

TEST_CASE("Ranges that together stand for very many files are refused") {
  const knead::tests::Folder folder;
  CHECK(named(folder, "{0..9}-{1..100}-{99..0}").size() == 100'000);
  CHECK_THROWS_WITH(named(folder, "a-{0..99999}{0..99999}.tar"),
                    "{0..99999}{0..99999} stands for 10000000000 files");
  CHECK_THROWS_WITH(named(folder, "{0..9}-{9..0}.{1..10000}/{0..999999999}"),
                    "{0..9}-{9..0}.{1..10000} stands for 1000000 files");
  CHECK_THROWS_WITH(named(folder, "{0..9}/{0..999999999}"),
                    "{0..9}/{0..999999999} stands for 10000000000 files");
  CHECK(named(folder, "{0..99999{8..9}}") == Names{"{0..999998}", "{0..999999}"});
  make(folder, "{0..999}-{0..999}");
  CHECK(named(folder, "{0..999}-{0..999}") == Names{"{0..999}-{0..999}"});
}
