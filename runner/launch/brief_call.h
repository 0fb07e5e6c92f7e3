#pragma once

#include <chrono>
#include <string>

#include "runner/launch/start.h"

namespace knead::launch {

/// Runs a program with `input` as its standard input, and waits for it; kills it after `patience`.
/// Secrets belong in `input`, because everybody on a machine sees the arguments of a process.
/// Returns whether it ended in time with exit code 0. Throws knead::Error if it cannot be started.
bool call_briefly(const Command& command, const std::string& input,
                  std::chrono::milliseconds patience);

}  // namespace knead::launch
