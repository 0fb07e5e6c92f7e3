#pragma once

#include <functional>
#include <string>
#include <thread>

namespace knead::trace {

/// Starts a thread that traces call `name` and that takes no signals: they are for the training
/// loop.
std::thread start_thread(std::string name, std::function<void()> work);

}  // namespace knead::trace
