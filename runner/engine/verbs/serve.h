#pragma once

#include <string>
#include <vector>

#include "runner/engine/verbs/call.h"

namespace knead::engine {

/// Serves the calls of a launch::WarmEngine, whose socket is the word after "serve". Returns once
/// for each call, in a process of its own, with the call, whose recipe is loaded if it can be.
/// Nothing of LibTorch that a call may still choose, such as its threads, device and random
/// numbers, is chosen before. Throws knead::Error if the words name no socket.
Call serve(const std::vector<std::string>& words);

}  // namespace knead::engine
