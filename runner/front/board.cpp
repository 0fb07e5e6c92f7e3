#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "runner/board/server/board.h"
#include "runner/board/server/server.h"
#include "runner/front/line/terminal.h"
#include "runner/front/verb.h"
#include "schema/document/standard_streams.h"

namespace knead::front {
namespace {

/// Reads a port; 0, if none is given, is any that is free.
std::uint16_t port_in(const Arguments& arguments) {
  if (!arguments.has("port")) return 0;
  const std::string text = arguments.get("port", "");
  std::uint16_t port = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (failure != std::errc() || end != text.data() + text.size() || port == 0)
    throw Error(fmt::format("--port {} is no port", text), "give a number from 1 to 65535",
                Exit::invalid_recipe);
  return port;
}

}  // namespace

Exit board_verb(const Arguments& arguments) {
  if (arguments.files.size() > 1 || !arguments.overrides.empty())
    throw Error("'board' takes one folder", "for example: " + find_verb("board")->example,
                Exit::invalid_recipe);
  const std::uint16_t port = port_in(arguments);
  board::Board shown(arguments.files.empty() ? "runs" : arguments.files[0]);
  board::Server server(shown, port);
  print_lines(server.address() + "\n");
  tell("open this address in a browser on this machine; ^C ends the board\n");
  // The forwarded port must be the same: the board answers only to its own.
  if (std::getenv("SSH_CONNECTION"))
    tell(fmt::format("from where you are logged in: ssh -L {0}:127.0.0.1:{0} HOST\n",
                     server.port()));
  server.run();
  return Exit::done;
}

}  // namespace knead::front
