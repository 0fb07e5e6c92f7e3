#include "runner/files/machine_memory.h"

#include <catch2/catch.hpp>

#include "tests/folder.h"

using namespace knead;
using files::group_limit;

namespace {

void set_limit(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  tests::write_text(file, text + "\n");
}

}  // namespace

TEST_CASE("the least limit of a group and those around it counts") {
  const tests::Folder root;
  set_limit(root / "jobs/memory.max", "5000");
  set_limit(root / "jobs/one/memory.max", "max");
  set_limit(root / "jobs/two/memory.max", "4000");
  CHECK(group_limit(root.path(), "0::/jobs/one\n") == 5000);
  CHECK(group_limit(root.path(), "0::/jobs/two\n") == 4000);
  CHECK(group_limit(root.path(), "0::/\n") == UINT64_MAX);
  // A container sees its own group as the root.
  set_limit(root / "memory.max", "3000");
  CHECK(group_limit(root.path(), "0::/\n") == 3000);
  CHECK(group_limit(root.path(), "0::/not/there\n") == 3000);
}

TEST_CASE("groups of version 1 limit too") {
  const tests::Folder root;
  set_limit(root / "memory/jobs/memory.limit_in_bytes", "7000");
  CHECK(group_limit(root.path(), "5:memory:/jobs\n1:cpu:/\n0::/\n") == 7000);
  CHECK(group_limit(root.path(), "5:memory:/\n") == UINT64_MAX);
  CHECK(group_limit(root.path(), "what nobody writes\n:\n\n") == UINT64_MAX);
}

TEST_CASE("a machine has memory") {
  CHECK(files::machine_memory() > (64U << 20));
  CHECK(files::machine_memory() < UINT64_MAX);
}
