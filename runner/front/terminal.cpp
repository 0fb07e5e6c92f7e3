#include "runner/front/terminal.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>

#include "schema/error.h"

namespace knead::front {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

}  // namespace

bool wants_colour(int stream) {
  const char* term = std::getenv("TERM");
  const bool dumb = !term || !*term || std::string_view(term) == "dumb";
  return isatty(stream) && !dumb && !is_set("NO_COLOR") && !is_set("CI");
}

void print(const std::string& text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written == text.size() && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) return;
  throw Error(fmt::format("cannot write to standard output: {}", std::strerror(errno)), "");
}

void complain(const std::string& message, const std::string& remedy) {
  std::fprintf(stderr, "knead: %s\n", message.c_str());
  if (!remedy.empty()) std::fprintf(stderr, "     = %s\n", remedy.c_str());
}

}  // namespace knead::front
