#pragma once

#include <array>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

namespace knead::tests {

/// Holds how a process ended, and what it wrote to standard error.
struct End {
  int status = 0;
  std::string text;
};

/// Calls `work` in a process of its own, which ends with code 0 if `work` returns.
template <class Work>
End in_process(const Work& work) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    work();
    ::_exit(0);
  }
  ::close(ends[1]);
  End end;
  std::array<char, 4096> bytes{};
  for (ssize_t count = 0; (count = ::read(ends[0], bytes.data(), bytes.size())) > 0;)
    end.text.append(bytes.data(), static_cast<std::size_t>(count));
  ::close(ends[0]);
  ::waitpid(child, &end.status, 0);
  return end;
}

}  // namespace knead::tests
