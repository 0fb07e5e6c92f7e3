// waiting_engine SOCKET: knead-engine for tests that call it hundreds of times. It is loaded once,
// which is most of what a short call takes, and becomes a process of its own for each call: a fork,
// in which nothing has run before. ask_engine stands in the place of the program.

#define main engine_main
#include "runner/engine/verbs/main.cpp"
#undef main

#include <csignal>

#include <sys/prctl.h>
#include <sys/wait.h>

#include "tests/launch/asked.h"

namespace {

using namespace knead::tests;

[[noreturn]] void become_engine(const Message::Descriptors& descriptors,
                                std::vector<std::string>& strings) {
  for (int stream = 0; stream < 3; ++stream) dup2(descriptors[stream], stream);
  require(fchdir(descriptors[3]) == 0, "fchdir");
  for (const int each : descriptors) close(each);
  std::vector<char*> pointers;
  for (std::string& each : strings) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  const int count = std::stoi(strings[0]);
  environ = pointers.data() + 1 + count;
  std::exit(engine_main(count, pointers.data() + 1));
}

/// Lets an engine run and says how it ended.
[[noreturn]] void serve(int connection) {
  signal(SIGCHLD, SIG_DFL);
  std::vector<std::string> strings;
  const Message::Descriptors descriptors =
      Message(std::string(1 << 17, '\0')).receive(connection, strings);
  const pid_t engine = fork();
  if (engine == 0) become_engine(descriptors, strings);
  int status = 0;
  require(waitpid(engine, &status, 0) == engine, "waitpid");
  require(send(connection, &status, sizeof status, 0) == sizeof status, "send");
  std::_Exit(0);
}

}  // namespace

int main(int, char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGCHLD, SIG_IGN);
  const std::string path = argv[1];
  const int door = socket_at(path + ".new", bind);
  require(listen(door, 16) == 0, "listen");
  std::rename((path + ".new").c_str(), path.c_str());
  for (;;) {
    const int connection = accept(door, nullptr, nullptr);
    if (fork() == 0) serve(connection);
    close(connection);
  }
}
