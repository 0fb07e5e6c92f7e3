#include "tests/data/tar/packed_world.h"

using namespace knead;
using namespace knead::tests;

namespace fs = std::filesystem;

TEST_CASE("a packed archive is unpacked once") {
  for (const Kind& kind : kKinds) {
    World world(kind);
    const fs::path tar = world.find();
    CHECK(text_of(tar) == kTar);
    CHECK(tar.filename() == "a.tar");
    CHECK(world.said == "unpacking " + world.packed().string() + " (" +
                            std::to_string(fs::file_size(world.packed())) + " B)\n");
    const auto made = files::OpenFile(tar).stamp();
    CHECK(world.find() == tar);
    CHECK(world.said == "");
    CHECK(files::OpenFile(tar).stamp() == made);
  }
}

TEST_CASE("the names of unpacked archives are those that unpacking gives") {
  for (const char* name : {"a.tar", "a.tar.gz", "a.tgz", "a.tar.zst", "a.tzst", "a.gz", "a"})
    CHECK(data::unpacked_name(name) == "a.tar");
  CHECK(data::unpacked_name("shard-0.3.tar.gz") == "shard-0.3.tar");
  CHECK(data::unpacked_name(".gz") == ".gz.tar");
}

TEST_CASE("what is packed in several parts is one archive") {
  const std::string front = kTar.substr(0, 700);
  const std::string back = kTar.substr(700);
  World gzip(kKinds[0]);
  gzip.write(gzipped(front) + gzipped("") + gzipped(back) + std::string(1000, '\0'));
  CHECK(gzip.found() == kTar);
  World zstd(kKinds[1]);
  zstd.write(skipped_frame() + zstd_packed(front) + skipped_frame() + zstd_packed(back));
  CHECK(zstd.found() == kTar);
}

TEST_CASE("archives of several pieces are unpacked as they were") {
  std::string numbers;
  for (std::uint32_t i = 0; numbers.size() < 5'000'000; ++i)
    numbers += little(i * i * 2654435761U, 4);
  const std::string large = tar({{"a.npy", numbers}, {"b.npy", std::string(3'000'000, 'x')}});
  for (const Kind& kind : kKinds) {
    World world(kind, large);
    CHECK(world.found() == large);
  }
}

TEST_CASE("a packed archive that is cut short anywhere is refused, and nothing is left of it") {
  for (const Kind& kind : kKinds) {
    World world(kind);
    const std::string whole = text_of(world.packed());
    for (std::size_t size = 4; size < whole.size(); ++size) {
      CAPTURE(kind.extension, size);
      world.write(whole.substr(0, size));
      CHECK(world.refusal() == ": cut short at byte " + std::to_string(size));
      CHECK(world.left() == "");
    }
    world.write(whole);
    CHECK(world.found() == kTar);
  }
}

TEST_CASE("a bit that is wrong anywhere is refused, or changes nothing") {
  for (const Kind& kind : kKinds) {
    World world(kind);
    const std::string whole = text_of(world.packed());
    std::size_t refused = 0;
    for (std::size_t bit = 0; bit < whole.size() * 8; bit += 3) {
      CAPTURE(kind.extension, bit);
      std::string damaged = whole;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      world.write(damaged);
      const std::string message = world.refusal();
      CAPTURE(message);
      if (message.empty()) {
        CHECK(world.found() == kTar);
        fs::remove_all(world.folder / "cache");
      } else {
        ++refused;
        CHECK(world.left() == "");
        CHECK((message.find("byte ") != message.npos ||
               message == ": what is packed in it is no tar archive"));
      }
    }
    CHECK(refused > whole.size() * 8 / 3 - 30);
  }
}

TEST_CASE("what follows the end is refused with its place") {
  for (const Kind& kind : kKinds) {
    World world(kind);
    const std::string whole = text_of(world.packed());
    const std::string end = std::to_string(whole.size());
    const std::string program = kind.packing == data::Packing::gzip ? "gzip" : "zstd";
    world.write(whole + "some words that nobody packed");
    CHECK(world.refusal() == ": what follows at byte " + end + " is no " + program);
    world.write(whole + whole.substr(0, 20));
    CHECK(world.refusal() == ": cut short at byte " + std::to_string(whole.size() + 20));
    CHECK(world.left() == "");
  }
}

TEST_CASE("a frame of zstd that asks for too much memory is refused") {
  World world(kKinds[1]);
  const char begin[] = {'\x28', '\xb5', '\x2f', '\xfd', '\0', '\x90'};  // a window of 256 MiB
  world.write(std::string(begin, sizeof begin) + std::string(64, '\0'));
  CHECK(world.refusal() == ": its frame at byte 0 needs more than 128 MiB of memory");
  CHECK(world.left() == "");
}

TEST_CASE("what is packed must be an archive") {
  for (const Kind& kind : kKinds) {
    for (const std::string& text :
         {std::string(), std::string("words"), std::string(5000, 'x'), kind.pack(kTar)}) {
      World world(kind, text);
      CHECK(world.refusal() == ": what is packed in it is no tar archive");
      CHECK(world.left() == "");
    }
    World empty(kind, std::string(1024, '\0'));
    CHECK(empty.found() == std::string(1024, '\0'));
  }
}
