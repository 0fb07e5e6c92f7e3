#pragma once

#include <functional>
#include <string>
#include <vector>

namespace knead::launch {

/// Serves the calls of a WarmEngine at the other end of `socket`: forks a process for each, tells
/// how it ended and passes signals on. Returns once for each call, in its own process, with the
/// words of the call; the process that called this never returns and ends when the other side is
/// gone, and its calls with it.
///
/// `prepare` is called with the words before the fork. What it leaves in memory all later calls
/// share; it must not throw and not leave a thread behind, which a fork would lose.
std::vector<std::string> serve_calls(
    int socket, const std::function<void(const std::vector<std::string>&)>& prepare);

}  // namespace knead::launch
