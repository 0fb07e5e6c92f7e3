#include "runner/board/terminal/watch.h"

#include <csignal>

#include "runner/front/verb.h"
#include "runner/board/terminal/screen.h"

namespace knead::front {

Exit watch(const Arguments& arguments) {
  if (arguments.files.size() > 1 || !arguments.overrides.empty())
    throw Error("'watch' takes one folder", "for example: " + find_verb("watch")->example,
                Exit::invalid_recipe);
  const std::string folder = arguments.files.empty() ? "runs" : arguments.files[0];
  if (!board::can_draw()) {
    board::watch_as_lines(folder);
    return Exit::done;
  }
  const int signal = board::watch_on_screen(folder);
  // ^C is a way to end it, like q. Another signal has its usual effect, now that the terminal is as
  // it was.
  if (signal != 0 && signal != SIGINT) std::raise(signal);
  return Exit::done;
}

}  // namespace knead::front
