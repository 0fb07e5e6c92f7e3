#include "runner/web/address.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::web {
namespace {

/// Returns an environment variable in lower case or else in capitals; empty if neither is set.
std::string variable(std::string name) {
  if (const char* value = std::getenv(name.c_str())) return value;
  for (char& c : name) c = c == '_' ? c : static_cast<char>(c - 'a' + 'A');
  const char* value = std::getenv(name.c_str());
  return value ? value : "";
}

/// Returns whether no_proxy excludes a host.
bool is_left_out(const std::string& host) {
  std::string rest = variable("no_proxy") + ",";
  for (std::size_t comma = rest.find(','); comma != rest.npos; comma = rest.find(',')) {
    std::string one = rest.substr(0, comma);
    rest.erase(0, comma + 1);
    one.erase(0, one.find_first_not_of(" ."));
    one.erase(one.find_last_not_of(' ') + 1);
    if (one.empty()) continue;
    if (one == "*" || host == one || host.ends_with("." + one)) return true;
  }
  return false;
}

/// Splits "name:port" and "[address]:port"; the port is empty without a colon.
std::pair<std::string, std::string> split_host(const std::string& host) {
  const bool has_brackets = host.starts_with('[');
  const std::size_t end = has_brackets ? host.find(']') : 0;
  const std::size_t colon = end == host.npos ? host.npos : host.find(':', end);
  const std::string name = host.substr(0, colon);
  const bool is_closed = has_brackets && name.ends_with(']');
  return {is_closed ? name.substr(1, name.size() - 2) : name,
          colon == host.npos ? "" : host.substr(colon + 1)};
}

/// Returns the number of a port; std::nullopt if it is none from 1 to 65535.
std::optional<int> port_number(const std::string& text) {
  int port = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool is_whole = code == std::errc() && end == text.data() + text.size();
  return is_whole && port >= 1 && port <= 65535 ? std::optional(port) : std::nullopt;
}

constexpr const char* kInHost =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]";
constexpr std::size_t kLongestHost = 255;

/// Returns what is wrong with a host, as a clause behind the URL; empty if nothing is.
std::string wrong_host(const std::string& host) {
  const auto [name, port] = split_host(host);
  if (name.empty()) return "names no host";
  if (host.find_first_not_of(kInHost) != host.npos || host.size() > kLongestHost)
    return "names a host that there cannot be";
  if (host.size() > name.size() && !host.ends_with(']') && !port_number(port))
    return "names a port that there cannot be: ports are 1 to 65535";
  return "";
}

}  // namespace

Address parse_address(const std::string& url) {
  const auto refuse = [&](const std::string& why, const std::string& remedy = "") {
    throw Error(fmt::format("'{}' {}", url, why), remedy, Exit::invalid_recipe);
  };
  const std::size_t end = url.find("://");
  Address address;
  if (end != url.npos) address.scheme = url.substr(0, end);
  if (address.scheme != "https" && address.scheme != "http")
    refuse("is no https or http address", "a file on this machine is named by 'path'");
  const std::string rest = url.substr(end + 3, url.find('#', end + 3) - end - 3);
  address.host = rest.substr(0, rest.find_first_of("/?"));
  address.path = rest.substr(address.host.size());
  if (!address.path.starts_with('/')) address.path.insert(0, "/");
  if (address.host.find('@') != address.host.npos)  // what stands before it is a secret
    throw Error(fmt::format("the address of {} holds a user name",
                            address.host.substr(address.host.rfind('@') + 1)),
                "name an address that needs none", Exit::invalid_recipe);
  for (const char c : url) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') refuse("holds a control character");
  }
  if (const std::string wrong = wrong_host(address.host); !wrong.empty()) refuse(wrong);
  const std::string before_query = address.path.substr(0, address.path.find('?'));
  address.name = before_query.substr(before_query.rfind('/') + 1);
  if (address.name.empty() || address.name.starts_with('.')) address.name = "file";
  return address;
}

std::string host_name(const Address& address) { return split_host(address.host).first; }

int port_of(const Address& address) {
  return port_number(split_host(address.host).second)
      .value_or(address.scheme == "https" ? 443 : 80);
}

std::string encoded_target(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain =
        byte > ' ' && byte < 0x7f && std::string_view("\"<>\\^`{|}").find(c) == path.npos;
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

Address redirected(const Address& from, const std::string& location) {
  const std::size_t scheme = location.find("://");
  const bool is_absolute = scheme != location.npos && scheme < location.find_first_of("/?#");
  std::string url = location;
  if (location.starts_with("//")) {
    url = from.scheme + ":" + location;
  } else if (!is_absolute) {
    const std::string path = from.path.substr(0, from.path.find('?'));
    const std::string base = location.starts_with('/')   ? ""
                             : location.starts_with('?') ? path
                                                         : path.substr(0, path.rfind('/') + 1);
    url = from.origin() + base + location;
  }
  try {
    return parse_address(url);
  } catch (const Error&) {
    throw NoAnswer("it leads to an address that cannot be used");
  }
}

Proxy proxy_for(const Address& address) {
  const std::string name = address.scheme + "_proxy";
  std::string text = variable(name);
  if (text.empty() || is_left_out(host_name(address))) return {};
  if (const std::size_t scheme = text.find("://"); scheme != text.npos) text.erase(0, scheme + 3);
  text = text.substr(0, text.find('/'));
  text.erase(0, text.rfind('@') + 1);
  const auto [host, port] = split_host(text);
  if (!port.empty() && !port_number(port))
    throw Error(fmt::format("{} names a port that there cannot be", name),
                "ports are 1 to 65535: http://HOST:PORT");
  return {host, port.empty() ? 80 : *port_number(port)};
}

}  // namespace knead::web
