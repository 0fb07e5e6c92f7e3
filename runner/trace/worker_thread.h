#pragma once

#include <functional>
#include <string>
#include <thread>

namespace knead::trace {

/// Starts a thread that traces call `name` and that takes no signals: they are for the training
/// loop. The caller joins or detaches it and catches failures within `work`, because an exception
/// that leaves `work` ends the process. Throws std::system_error if the system has no thread left.
std::thread start_thread(std::string name, std::function<void()> work);

}  // namespace knead::trace
