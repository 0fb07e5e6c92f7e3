#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

#include "runner/launch/call_messages.h"
#include "runner/launch/held_signals.h"

namespace knead::launch {

/// Tells how a call of a WarmEngine ended.
struct CallEnd : CallAnswer {
  /// The engine itself has ended so, and the kernel has killed the call with it: it may begin
  /// again. An engine that cannot load ends all its calls in this way.
  bool with_engine = false;
};

/// Owns an engine that has loaded LibTorch and read the data of the last recipe, and that becomes a
/// process of its own for each call: a call begins within milliseconds and computes the same bits
/// as a new engine. What one call does, its end by a crash or a kill included, does not reach the
/// others.
///
/// Each call has its own process group, the signal mask and actions of a rank (see start_rank()),
/// /dev/null as standard input, and the environment and working folder that this process had when
/// the engine was started. It has no descriptor of another call.
///
/// The kernel kills the engine and all its calls when the thread that constructed this ends, so
/// that nothing of them is left. Not thread-safe.
class WarmEngine {
 public:
  /// Starts the engine. Does not wait until it is loaded: calls do. `signals` must outlive this.
  /// Throws knead::Error if the engine cannot be started, with the reason that exec gave.
  WarmEngine(std::filesystem::path engine, const HeldSignals& signals);

  /// Kills the engine and its calls, and waits until they have ended, at most 5 s for each.
  ~WarmEngine();
  WarmEngine(const WarmEngine&) = delete;
  WarmEngine& operator=(const WarmEngine&) = delete;

  /// Starts a call with the words as arguments of the engine: "run", FILE, "--digest=…", "--",
  /// KEY=VALUE …. `output` takes its standard output and error; the caller may close it afterwards.
  /// Returns the number of the call, which counts from 1. Starts the engine again if collect() has
  /// returned its end. Throws knead::Error if the engine cannot be started or the words are longer
  /// than some 100 KB.
  int start(const std::vector<std::string>& words, int output);

  /// Sends a signal to the process group of a call; does nothing if it has ended.
  void send(int call, int signal);

  /// Returns a descriptor that is readable when collect() is to be called. It changes when start()
  /// has started the engine again; -1 while no engine runs.
  int descriptor() const { return socket_; }

  /// Returns the calls that have ended since the last time. Does not wait. If the engine has ended,
  /// all its calls have ended too, and are returned with the end of the engine.
  std::vector<CallEnd> collect();

  /// Returns how many calls have not been collected.
  int running() const { return static_cast<int>(calls_.size()); }

  /// Returns the process of the engine that serves the calls; 0 while none runs.
  pid_t process() const { return process_; }

 private:
  void start_engine();

  /// Collects the engine, which has ended, and returns its end for each of its calls.
  std::vector<CallEnd> end_of_engine();

  std::filesystem::path engine_;
  const HeldSignals& signals_;
  pid_t process_ = 0;
  int socket_ = -1;
  int last_call_ = 0;
  std::map<int, pid_t> calls_;  // those that are not collected; 0 if not known to have begun
};

}  // namespace knead::launch
