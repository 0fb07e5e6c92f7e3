// In the place of knead-engine: asks the waiting_engine at $WAITING_ENGINE, and ends as it ended.

#include <csignal>

#include <fcntl.h>
#include <sys/wait.h>

#include "tests/launch/asked.h"

int main(int argc, char** argv) {
  using namespace knead::tests;
  const char* path = std::getenv("WAITING_ENGINE");
  require(path, "WAITING_ENGINE");
  std::string text = std::to_string(argc) + '\0';
  for (int i = 0; i < argc; ++i) text.append(argv[i]) += '\0';
  for (char** each = environ; *each; ++each) text.append(*each) += '\0';
  const int connection = socket_at(path, connect);
  Message(text, {0, 1, 2, open(".", O_PATH | O_DIRECTORY)}).send(connection);
  int status = 0;
  require(recv(connection, &status, sizeof status, 0) == sizeof status, "waiting_engine");
  if (WIFSIGNALED(status)) raise(WTERMSIG(status));
  return WEXITSTATUS(status);
}
