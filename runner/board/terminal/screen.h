#pragma once

#include <string>
#include <vector>

#include <signal.h>
#include <termios.h>

#include "runner/board/terminal/keys.h"
#include "runner/board/terminal/line.h"
#include "runner/board/terminal/page.h"

namespace knead::board {

/// Returns whether standard output is a terminal on which a whole screen can be drawn; TERM=dumb,
/// an unset TERM and CI say that it is none.
bool can_draw();

/// The terminal of standard output as a screen of its own: the alternate one, without a cursor,
/// from which keys arrive one by one. The destructor gives the terminal back as it was. While the
/// object lives, signals that end or stop the process are held back and told by wait(), so that the
/// terminal is given back before. One object at a time, on the main thread.
class Screen {
 public:
  /// Throws knead::Error if the terminal does not let itself be set.
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  ScreenSize size() const;

  /// Shows as many lines as the screen has rows; writes those that differ from what is shown, in
  /// one piece.
  void show(const std::vector<Line>& lines);
  /// Lets the next show() write all lines.
  void forget() { shown_.clear(); }

  /// Holds what has happened during wait().
  struct Events {
    std::vector<Key> keys{};
    bool is_resized = false;
    /// The signal that asks the process to end, or 0. A terminal that is gone counts as SIGHUP.
    int end = 0;
  };

  /// Waits for a key, a signal, or until `descriptor`, if it is not -1, is readable, at most
  /// `milliseconds`. Stops the process when a signal says so, and comes back when it goes on.
  Events wait(int descriptor, int milliseconds);

 private:
  void enter();
  void leave();
  void stop();
  void read_signals(Events& events);
  void read_keys(Events& events);
  void write(std::string_view text);

  int keyboard_;      // where keys come from: standard input, or the terminal itself
  int signals_ = -1;  // signalfd
  sigset_t old_mask_{};
  termios old_settings_{};
  bool is_entered_ = false;
  bool is_gone_ = false;  // writing failed
  bool has_colour_;
  bool is_ascii_;
  std::string pending_;             // bytes of a key that has not ended
  std::vector<std::string> shown_;  // the lines on the screen; empty: unknown
};

}  // namespace knead::board
