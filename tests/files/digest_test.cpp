#include "runner/files/digest.h"

#include <catch2/catch.hpp>

TEST_CASE("digests are XXH3-128 as the xxhsum program prints it") {
  CHECK(knead::files::digest("") == "99aa06d3014798d86001c324468d497f");
  CHECK(knead::files::digest("knead") != knead::files::digest("knead "));
  CHECK(knead::files::digest("knead").size() == 32);
}

TEST_CASE("a digest does not depend on how the bytes came") {
  std::string text;
  for (int i = 0; i < 5'000; ++i) text += static_cast<char>(i * 31);
  const auto bytes = std::as_bytes(std::span(text));
  for (const std::size_t cut : {0UL, 1UL, 240UL, 1'024UL, 4'999UL, 5'000UL}) {
    knead::files::RunningDigest running;
    running.add(bytes.first(cut));
    running.add(bytes.subspan(cut));
    CHECK(running.text() == knead::files::digest(text));
  }
  CHECK(knead::files::RunningDigest().text() == knead::files::digest(""));
}
