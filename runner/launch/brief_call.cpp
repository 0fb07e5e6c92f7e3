#include "runner/launch/brief_call.h"

#include <cerrno>
#include <cstring>
#include <thread>

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "runner/launch/memory_file.h"
#include "schema/document/error.h"

namespace knead::launch {
namespace {

/// Starts a program whose standard input is a descriptor. Returns its process id.
pid_t spawn_with_input(const Command& command, int input) {
  std::vector<char*> words{const_cast<char*>(command.program.c_str())};
  for (const std::string& word : command.arguments)
    words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  pid_t process = 0;
  const int failure =
      ::posix_spawn(&process, command.program.c_str(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0)
    throw Error(
        fmt::format("cannot start {}: {}", command.program.string(), std::strerror(failure)));
  return process;
}

}  // namespace

bool call_briefly(const Command& command, const std::string& input,
                  std::chrono::milliseconds patience) {
  const MemoryFile file("knead-input");
  if (::write(file.descriptor(), input.data(), input.size()) != static_cast<ssize_t>(input.size()))
    throw Error(fmt::format("cannot keep {} bytes: {}", input.size(), std::strerror(errno)));
  ::lseek(file.descriptor(), 0, SEEK_SET);
  const pid_t process = spawn_with_input(command, file.descriptor());
  const auto end = std::chrono::steady_clock::now() + patience;
  int status = 0;
  while (::waitpid(process, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      ::kill(process, SIGKILL);
      ::waitpid(process, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace knead::launch
