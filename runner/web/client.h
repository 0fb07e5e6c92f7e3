#pragma once

#include <chrono>
#include <string>

#include <httplib.h>

#include "runner/web/address.h"

namespace knead::web {

/// Returns a client for an address, through the proxy that the environment sets for it. `connect`
/// and `silence` bound the time until a connection is there, and the time without a byte.
httplib::Client client_for(const Address& address, std::chrono::milliseconds connect,
                           std::chrono::milliseconds silence);

/// Returns why a request has no answer, as a clause: "no connection can be made".
std::string in_words(httplib::Error error);

}  // namespace knead::web
