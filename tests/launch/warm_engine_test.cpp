#include "runner/launch/warm_engine.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

using namespace knead;
using launch::CallEnd;
using launch::WarmEngine;
using tests::Folder;
using tests::text_of;

namespace {

const char* const kSmallEngine = KNEAD_BUILD "/small_engine";

int start(WarmEngine& engine, const std::filesystem::path& output,
          const std::vector<std::string>& words) {
  const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const int call = engine.start(words, file);
  close(file);
  return call;
}

/// Waits until a call has ended, at most 20 s.
std::vector<CallEnd> next_ends(WarmEngine& engine) {
  for (;;) {
    pollfd ended{engine.descriptor(), POLLIN, 0};
    REQUIRE(poll(&ended, 1, 20000) == 1);
    if (auto ends = engine.collect(); !ends.empty()) return ends;
  }
}

/// Waits for the ends of all calls.
std::map<int, CallEnd> ends_of(WarmEngine& engine) {
  std::map<int, CallEnd> ends;
  while (engine.running() > 0) {
    for (const CallEnd& end : next_ends(engine)) ends[end.call] = end;
  }
  return ends;
}

template <class Condition>
bool within_20_s(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

/// A process that waits for a signal, and its child.
struct Waiting {
  pid_t call = 0;
  pid_t child = 0;

  explicit Waiting(const std::filesystem::path& note) {
    REQUIRE(within_20_s([&] { return std::filesystem::exists(note); }));
    std::ifstream(note) >> call >> child;
  }

  static bool lives(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    return file >> number >> name >> state && state != "Z";
  }

  bool are_gone() const {
    return within_20_s([&] { return !lives(call) && !lives(child); });
  }
};

}  // namespace

TEST_CASE("each call of a warm engine ends by itself") {
  const Folder folder;
  const launch::HeldSignals signals;
  WarmEngine engine(kSmallEngine, signals);
  const int says = start(engine, folder / "says", {"say", "one word"});
  const int crashes = start(engine, folder / "crashes", {"raise", std::to_string(SIGSEGV)});
  const int fails = start(engine, folder / "fails", {"exit", "5"});
  const int is_killed = start(engine, folder / "killed", {"raise", std::to_string(SIGKILL)});
  const pid_t process = engine.process();
  auto ends = ends_of(engine);
  CHECK((!ends[says].by_signal && ends[says].number == 0));
  CHECK((ends[crashes].by_signal && ends[crashes].number == SIGSEGV));
  CHECK((!ends[fails].by_signal && ends[fails].number == 5));
  CHECK((ends[is_killed].by_signal && ends[is_killed].number == SIGKILL));
  for (const auto& [call, end] : ends) CHECK_FALSE(end.with_engine);
  CHECK(text_of(folder / "says") == "one word\n");
  CHECK(engine.process() == process);
}

TEST_CASE(
    "a call has its own group and output, no blocked or handled signal, and no other descriptor") {
  const Folder folder;
  const launch::HeldSignals signals;
  WarmEngine engine(kSmallEngine, signals);
  // Two that live meanwhile, and many that have ended.
  start(engine, folder / "one", {"wait", folder / "note"});
  start(engine, folder / "two", {"wait", folder / "note 2"});
  for (int i = 0; i < 20; ++i) start(engine, folder / "many", {"exit", "0"});
  while (engine.running() > 2) next_ends(engine);
  const int call = start(engine, folder / "facts", {"facts"});
  CHECK(next_ends(engine).at(0).call == call);
  const std::string facts = text_of(folder / "facts");
  CHECK(facts.substr(0, facts.find('\n')) == "descriptors: 0 1 2");
  CHECK(facts.find("SigBlk:\t0000000000000000\n") != std::string::npos);
  CHECK(facts.find("SigCgt:\t0000000000000000\n") != std::string::npos);
  CHECK(facts.find("group: its own\ninput: nothing\n") != std::string::npos);
}

TEST_CASE("a signal reaches the call that it is meant for, and what that has started") {
  const Folder folder;
  const launch::HeldSignals signals;
  WarmEngine engine(kSmallEngine, signals);
  const int first = start(engine, folder / "one", {"wait", folder / "one.note"});
  const int second = start(engine, folder / "two", {"wait", folder / "two.note"});
  const Waiting one(folder / "one.note");
  const Waiting two(folder / "two.note");
  engine.send(first, SIGTERM);
  const auto ends = next_ends(engine);
  REQUIRE(ends.size() == 1);
  CHECK((ends[0].call == first && ends[0].by_signal && ends[0].number == SIGTERM));
  CHECK(one.are_gone());
  CHECK(Waiting::lives(two.call));
  engine.send(first, SIGTERM);  // has ended
  engine.send(second, SIGINT);
  CHECK(ends_of(engine).at(second).number == SIGINT);
  CHECK(two.are_gone());
}

TEST_CASE("an engine that is killed takes its calls along, and the next call starts it again") {
  const Folder folder;
  const launch::HeldSignals signals;
  WarmEngine engine(kSmallEngine, signals);
  const int first = start(engine, folder / "one", {"wait", folder / "note"});
  const Waiting waiting(folder / "note");
  kill(engine.process(), SIGKILL);
  pollfd gone{engine.descriptor(), POLLIN, 0};
  REQUIRE(poll(&gone, 1, 20000) == 1);
  const int second = engine.start({"exit", "0"}, 1);  // finds nobody
  auto ends = ends_of(engine);
  for (const int call : {first, second}) {
    CHECK(ends.at(call).with_engine);
    CHECK((ends.at(call).by_signal && ends.at(call).number == SIGKILL));
  }
  CHECK(engine.process() == 0);
  CHECK(engine.descriptor() == -1);
  CHECK(waiting.are_gone());
  CHECK(engine.collect().empty());
  const int third = start(engine, folder / "three", {"exit", "7"});
  CHECK(ends_of(engine).at(third).number == 7);
}

TEST_CASE("an engine that cannot serve ends its calls") {
  const launch::HeldSignals signals;
  WarmEngine engine("/bin/false", signals);
  const int call = engine.start({"exit", "0"}, 1);
  const CallEnd end = ends_of(engine).at(call);
  CHECK((end.with_engine && !end.by_signal && end.number == 1));
  CHECK_THROWS_WITH(WarmEngine("/no/engine", signals),
                    "cannot start '/no/engine': No such file or directory");
}

TEST_CASE("nothing is left of a warm engine that goes out of scope") {
  const Folder folder;
  const launch::HeldSignals signals;
  pid_t process = 0;
  {
    WarmEngine engine(kSmallEngine, signals);
    process = engine.process();
    start(engine, folder / "one", {"wait", folder / "note"});
    const Waiting waiting(folder / "note");
  }
  CHECK(Waiting(folder / "note").are_gone());
  CHECK(kill(process, 0) != 0);  // it is collected
}

TEST_CASE("nothing is left of a warm engine whose owner is killed") {
  const Folder folder;
  const pid_t owner = fork();
  if (owner == 0) {
    const launch::HeldSignals signals;
    WarmEngine engine(kSmallEngine, signals);
    engine.start({"wait", folder / "one"}, 1);
    engine.start({"wait", folder / "two"}, 1);
    for (;;) pause();
  }
  const Waiting one(folder / "one");
  const Waiting two(folder / "two");
  kill(owner, SIGKILL);
  waitpid(owner, nullptr, 0);
  // What a call has started itself the engine would kill, and nobody is left to.
  CHECK(within_20_s([&] { return !Waiting::lives(one.call) && !Waiting::lives(two.call); }));
  kill(one.child, SIGKILL);
  kill(two.child, SIGKILL);
}

TEST_CASE("words that no message can hold are refused, and calls go on") {
  const Folder folder;
  const launch::HeldSignals signals;
  WarmEngine engine(kSmallEngine, signals);
  CHECK_THROWS_WITH(engine.start({"say", std::string(200'000, 'x')}, 1),
                    "a call of the engine has 200013 bytes of words, of 131072 that are possible");
  CHECK(engine.running() == 0);
  const int call = start(engine, folder / "says", {"say", std::string(120'000, 'x')});
  CHECK(ends_of(engine).at(call).number == 0);
  CHECK(std::filesystem::file_size(folder / "says") == 120'001);
}
