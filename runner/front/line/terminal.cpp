#include "runner/front/line/terminal.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "runner/track/terminal.h"
#include "schema/document/error.h"

namespace knead::front {

bool wants_colour(int stream) { return track::is_live(stream); }

void print(const std::string& text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written == text.size() && std::fflush(stdout) == 0) return;
  // `knead runs | head` closes the pipe when it has seen enough.
  if (errno == EPIPE) return;
  throw Error(fmt::format("cannot write to standard output: {}", std::strerror(errno)), "");
}

void complain(const std::string& message, const std::string& remedy) {
  std::fprintf(stderr, "knead: %s\n", message.c_str());
  if (!remedy.empty()) std::fprintf(stderr, "     = %s\n", remedy.c_str());
}

}  // namespace knead::front
