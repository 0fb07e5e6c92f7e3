#include "runner/files/digest.h"

#include <catch2/catch.hpp>

TEST_CASE("digests are XXH3-128 as the xxhsum program prints it") {
  CHECK(knead::files::digest("") == "99aa06d3014798d86001c324468d497f");
  CHECK(knead::files::digest("knead") != knead::files::digest("knead "));
  CHECK(knead::files::digest("knead").size() == 32);
}
