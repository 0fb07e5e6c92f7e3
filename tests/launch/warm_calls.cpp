// warm_calls ENGINE: does with a WarmEngine what standard input says, a line at a time, for tests
// and measurements:
//   start OUTPUT WORD…   starts a call, whose output goes into a file; with a limit, waits for its
//   turn limit N              lets at most N calls run at once signal CALL NUMBER   sends a signal
//   wait                 waits until a call has ended
//   finish               waits until all calls have ended
//   engine               prints the process of the engine
// Prints how each call ended, when it is collected: "1 exit 0", "2 signal 9", "3 signal 9 with the
// engine".

#include <cstdio>
#include <iostream>
#include <limits>
#include <sstream>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "runner/launch/warm_engine.h"
#include "schema/document/error.h"

namespace {

using knead::launch::WarmEngine;

void wait_for_an_end(WarmEngine& engine) {
  if (engine.running() == 0) return;
  const int before = engine.running();
  while (engine.running() == before) {
    pollfd ended{engine.descriptor(), POLLIN, 0};
    poll(&ended, 1, -1);
    for (const auto& end : engine.collect())
      std::printf("%d %s %d%s\n", end.call, end.by_signal ? "signal" : "exit", end.number,
                  end.with_engine ? " with the engine" : "");
  }
  std::fflush(stdout);
}

void start(WarmEngine& engine, std::istream& line) {
  std::string path;
  line >> path;
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  const int output = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  engine.start(words, output);
  close(output);
}

void follow(WarmEngine& engine, const std::string& text) {
  static int limit = std::numeric_limits<int>::max();
  std::istringstream line(text);
  std::string what;
  line >> what;
  if (what == "start") {
    while (engine.running() >= limit) wait_for_an_end(engine);
    start(engine, line);
  } else if (what == "limit") {
    line >> limit;
  } else if (what == "signal") {
    int call = 0, number = 0;
    line >> call >> number;
    engine.send(call, number);
  } else if (what == "wait") {
    wait_for_an_end(engine);
  } else if (what == "finish") {
    while (engine.running() > 0) wait_for_an_end(engine);
  } else if (what == "engine") {
    std::printf("%d\n", static_cast<int>(engine.process()));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int, char** argv) {
  try {
    const knead::launch::HeldSignals signals;
    WarmEngine engine(argv[1], signals);
    for (std::string line; std::getline(std::cin, line);) follow(engine, line);
    return 0;
  } catch (const knead::Error& error) {
    std::fprintf(stderr, "warm_calls: %s\n", error.what());
    return 1;
  }
}
