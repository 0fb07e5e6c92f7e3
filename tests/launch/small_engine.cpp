// small_engine serve SOCKET: serves the calls of a WarmEngine without LibTorch, for tests. The
// words of a call say what it does:
//   exit CODE         ends so
//   raise SIGNAL      ends so
//   say TEXT          prints a text
//   facts             prints its descriptors, whether signals are blocked or handled, its group,
//   and what it reads wait FILE         writes its process and that of a child into a file, and
//   waits for a signal

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <unistd.h>

#include "runner/launch/serve_calls.h"

namespace {

int facts() {
  std::set<int> descriptors;
  for (int each = 0; each < 1000; ++each)
    if (std::filesystem::exists(
            std::filesystem::symlink_status("/proc/self/fd/" + std::to_string(each))))
      descriptors.insert(each);
  std::printf("descriptors:");
  for (const int each : descriptors) std::printf(" %d", each);
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigBlk") || line.starts_with("SigCgt")) std::printf("\n%s", line.c_str());
  std::printf("\ngroup: %s\n", getpgrp() == getpid() ? "its own" : "another");
  std::printf("input: %s\n", std::getchar() == EOF ? "nothing" : "something");
  return 0;
}

int wait_for_signal(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  std::ofstream(path + ".new") << getpid() << " " << child << "\n";
  std::filesystem::rename(path + ".new", path);
  for (;;) pause();
}

int follow(const std::vector<std::string>& words) {
  const std::string argument = words.size() > 1 ? words[1] : "";
  if (words[0] == "exit") return std::stoi(argument);
  if (words[0] == "raise") return std::raise(std::stoi(argument));
  if (words[0] == "facts") return facts();
  if (words[0] == "wait") return wait_for_signal(argument);
  std::puts(argument.c_str());
  return 0;
}

}  // namespace

int main(int, char** argv) {
  const auto words = knead::launch::serve_calls(std::atoi(argv[2]), [](const auto&) {});
  const int code = follow(words);
  std::fflush(nullptr);
  std::_Exit(code);
}
