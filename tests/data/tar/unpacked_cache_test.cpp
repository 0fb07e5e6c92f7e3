#include <atomic>
#include <cerrno>
#include <thread>

#include <unistd.h>

#include "tests/data/tar/packed_world.h"

using namespace knead;
using namespace knead::tests;

namespace fs = std::filesystem;

namespace {

/// As if it had been written long ago, which nobody can do: what was noted when it was young is
/// what would have been noted later.
void let_it_age(const fs::path& record, const fs::path& packed) {
  std::string text = text_of(record);
  const std::string empty = R"("stamp": "")";
  const std::size_t at = text.find(empty);
  if (at == text.npos) return;
  const std::string stamp = R"("stamp": ")" + files::OpenFile(packed).stamp() + '"';
  write_text(record, text.replace(at, empty.size(), stamp));
}

/// With the time of its last writing as it was, as rsync and cp -p would have it.
void overwrite(const fs::path& file, const std::string& bytes) {
  const auto time = fs::last_write_time(file);
  write_text(file, bytes);
  fs::last_write_time(file, time);
}

}  // namespace

TEST_CASE("another file in its place is seen, whatever its times say") {
  for (const bool aged : {false, true}) {
    World world(kKinds[0]);
    const std::string other_tar = tar({{"a.cls", "1"}, {"b.cls", "3"}});
    const fs::path unpacked = world.find();
    if (aged) let_it_age(unpacked.parent_path() / "unpacked.json", world.packed());
    const std::string other = gzipped(other_tar);
    REQUIRE(other.size() == fs::file_size(world.packed()));
    if (aged) std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a tick
    overwrite(world.packed(), other);
    CHECK(world.found() == other_tar);
    CHECK(world.said.starts_with("unpacking "));
    CHECK(world.left().size() == std::string("a.tar unpacked.json ").size());
  }
}

TEST_CASE("a packed file that was only touched or replaced by its like is not unpacked again") {
  World world(kKinds[0]);
  const fs::path unpacked = world.find();
  const auto made = files::OpenFile(unpacked).stamp();
  fs::copy_file(world.packed(), world.folder / "copy");
  fs::rename(world.folder / "copy", world.packed());
  CHECK(world.find() == unpacked);
  CHECK(world.said == "");
  CHECK(files::OpenFile(unpacked).stamp() == made);
}

TEST_CASE("damage in the cache is noticed") {
  World world(kKinds[1]);
  const fs::path unpacked = world.find();
  const fs::path record = unpacked.parent_path() / "unpacked.json";
  const std::string noted = text_of(record);
  const auto is_made_anew = [&](const std::string& what) {
    CAPTURE(what);
    CHECK(world.found() == kTar);
    CHECK(world.said.find("unpacking ") != std::string::npos);
    CHECK(world.find() == unpacked);
    CHECK(world.said == "");
  };
  write_text(unpacked, kTar.substr(0, 900));
  is_made_anew("cut short");
  std::string wrong = kTar;
  wrong[700] ^= 1;
  overwrite(unpacked, wrong);
  CHECK(world.found() == kTar);
  CHECK(world.said == unpacked.string() + " is not what was written there\nunpacking " +
                          world.packed().string() + " (" +
                          std::to_string(fs::file_size(world.packed())) + " B)\n");
  fs::remove(unpacked);
  is_made_anew("gone");
  fs::remove(record);
  is_made_anew("without a record");
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{\"version\": 1}"),
        std::string("{\"version\": 2}"), std::string("{\"version\": 1, \"packed\": 3}"),
        noted.substr(0, noted.size() / 2), std::string(100'000, ' ') + noted}) {
    write_text(record, text);
    is_made_anew("the record " + text.substr(0, 1000));
  }
  write_text(unpacked, kTar);  // as from a backup: the same bytes
  CHECK(world.find() == unpacked);
  CHECK(world.said == "");
}

TEST_CASE("an archive that another process replaces meanwhile is unpacked") {
  World world(kKinds[0]);
  const fs::path unpacked = world.find();
  let_it_age(unpacked.parent_path() / "unpacked.json", world.packed());
  FaultyFiles disk(world.disk, [&](int, Call call, const fs::path& path) {
    if (call == Call::open && path.filename() == "unpacked.json") fs::remove(unpacked);
    return Fault{};
  });
  CHECK(text_of(world.find(disk)) == kTar);
}

TEST_CASE("a disk that is full is said once, with the place, and nothing is left") {
  const std::string large = tar({{"a.npy", std::string(3'000'000, 'x')}});
  for (const int number : {ENOSPC, EDQUOT}) {
    World world(kKinds[0], large);
    int writes = 0;
    FaultyFiles full(world.disk, [&](int, Call call, const fs::path&) {
      const bool fails = call == Call::write && ++writes == 3;
      return Fault{fails ? Fault::Kind::fail : Fault::Kind::none, number};
    });
    const std::string message = world.refusal(full);
    CHECK(
        message.starts_with(" is larger, unpacked, than there is room for: 3.0 MB came out of "
                            "its first "));
    CHECK(message.find(", and the file system at /") != message.npos);
    CHECK(message.ends_with(" left"));
    CHECK(world.left() == "");
  }
}

TEST_CASE("an archive that unpacks to more than a disk should hold stops while others have room") {
  /// A disk with little room.
  struct Small : FaultyFiles {
    using FaultyFiles::FaultyFiles;
    files::Space space(const fs::path&) override { return {200'000'000, "/small"}; }
  };
  World world(kKinds[0], tar({{"a.npy", std::string(80'000'000, '\0')}}));
  Small small(world.disk, [](int, Call, const fs::path&) { return Fault{}; });
  const std::string message = world.refusal(small);
  CHECK(
      message.starts_with(" is larger, unpacked, than there is room for: 67 MB came out of its "
                          "first "));
  CHECK(message.ends_with(" kB, and the file system at /small has 200 MB left"));
  CHECK(world.left() == "");
}

TEST_CASE("whatever call fails, it is said, and the next try unpacks") {
  for (int failing = 1;; ++failing) {
    CAPTURE(failing);
    World world(kKinds[0]);
    bool failed = false;
    FaultyFiles faulty(world.disk, [&](int n, Call, const fs::path&) {
      if (n != failing) return Fault{};
      failed = true;
      return Fault{Fault::Kind::fail, EIO};
    });
    const std::string message = world.refusal(faulty);
    if (!failed) break;
    CHECK((message.empty() || message.starts_with(" cannot be unpacked: cannot ")));
    CHECK(world.left().find("partial") == std::string::npos);
    CHECK(world.found() == kTar);
  }
}

TEST_CASE("wherever it is killed, the next try unpacks, and nothing is left over") {
  for (const auto when : {Fault::Kind::die_before, Fault::Kind::die_after}) {
    for (int dying = 1;; ++dying) {
      CAPTURE(dying);
      World world(kKinds[0]);
      FaultyFiles faulty(world.disk, [&](int n, Call, const fs::path&) {
        return Fault{n == dying ? when : Fault::Kind::none};
      });
      try {
        world.find(faulty);
      } catch (const Killed&) {
      }
      if (!faulty.is_dead()) break;
      CHECK(world.found() == kTar);
      CHECK(world.left().size() == std::string("a.tar unpacked.json ").size());
    }
  }
}

TEST_CASE("several unpack an archive once") {
  World world(kKinds[0], tar({{"a.npy", std::string(30'000'000, 'x')}}));
  files::PosixFiles disk;
  std::atomic<int> unpacked = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const data::UnpackedTars cache(disk, world.folder / "cache", [&](const std::string& line) {
        unpacked += line.starts_with("unpacking ");
      });
      cache.find(files::OpenFile(world.packed()), world.kind.packing);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(unpacked == 1);
}

TEST_CASE("a cache that cannot be written to serves what is in it") {
  World world(kKinds[0]);
  const fs::path tar = world.find();
  let_it_age(tar.parent_path() / "unpacked.json", world.packed());
  FaultyFiles read_only(world.disk, [](int, Call call, const fs::path&) {
    const bool reads =
        call == Call::open || call == Call::read || call == Call::size || call == Call::close;
    return Fault{reads ? Fault::Kind::none : Fault::Kind::fail, EROFS};
  });
  CHECK(world.find(read_only) == tar);
  fs::remove_all(world.folder / "cache");
  CHECK(world.refusal(read_only).ends_with(": Read-only file system"));
}

TEST_CASE("who waits for another says for whom") {
  World world(kKinds[0]);
  const fs::path tar = world.find();
  fs::remove(tar);
  std::thread other;
  {
    const files::Lock lock(tar.parent_path());
    other = std::thread([&] { CHECK(world.find() == tar); });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  other.join();
  const std::string me = "waiting for process " + std::to_string(::getpid()) + " on ";
  CHECK(world.said.starts_with(me));
  CHECK(world.said.find(", which writes to " + tar.parent_path().string() + "\nunpacking ") !=
        std::string::npos);
}
