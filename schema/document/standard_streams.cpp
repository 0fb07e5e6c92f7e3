#include "schema/document/standard_streams.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/document/shown_text.h"

namespace knead {
namespace {

void write_to_standard_error(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Returns a text for people, whose lines after the first are indented: a line feed in a file name
/// must not look like the beginning of another message. A list that is indented stays as it is.
std::string indented(std::string_view text) {
  const std::string said = schema::shortened(schema::shown_lines(text), kMostToldBytes);
  std::string out;
  for (std::size_t i = 0; i < said.size(); ++i) {
    out += said[i];
    if (said[i] == '\n' && said.compare(i + 1, 2, "  ") != 0) out += "       ";
  }
  return schema::shortened(std::move(out), kMostToldBytes);
}

}  // namespace

std::string complaint(std::string_view message, std::string_view remedy) {
  std::string text = fmt::format("knead: {}\n", indented(message));
  if (!remedy.empty()) text += fmt::format("     = {}\n", indented(remedy));
  return text;
}

void complain(std::string_view message, std::string_view remedy) {
  write_to_standard_error(complaint(message, remedy));
}

Exit complain_of(const std::exception& error) {
  if (const auto* known = dynamic_cast<const Error*>(&error)) {
    complain(known->what(), known->remedy());
    return known->code();
  }
  if (const auto* disk = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    complain(fmt::format("cannot use '{}': {}", disk->path1().string(), disk->code().message()),
             "see that the path is right, and that you may read it");
    return Exit::not_usable;
  }
  if (const auto* system = dynamic_cast<const std::system_error*>(&error)) {
    complain(fmt::format("the system refuses something: {}", system->what()),
             "see 'ulimit -a' and what else runs on this machine");
    return Exit::not_usable;
  }
  if (dynamic_cast<const std::bad_alloc*>(&error)) {
    complain("there is not enough memory", "see 'ulimit -v' and what else runs on this machine");
    return Exit::not_usable;
  }
  complain(fmt::format("internal error: {}", error.what()),
           "please report it, with what 'knead env' prints");
  return Exit::internal_error;
}

void tell(std::string_view text) {
  write_to_standard_error(schema::shortened(schema::shown_lines(text), kMostToldBytes));
}

void print(const std::string& text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written == text.size() && std::fflush(stdout) == 0) return;
  // `knead runs | head` closes the pipe when it has seen enough.
  if (errno == EPIPE) return;
  throw Error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

}  // namespace knead
