#include "runner/web/address.h"

#include <cstdlib>

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

std::string without_port(const std::string& host) { return host.substr(0, host.find(':')); }

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

int port_of(const std::string& text, int otherwise) {
  const std::size_t colon = text.find(':');
  return colon == text.npos ? otherwise : std::atoi(text.c_str() + colon + 1);
}

}  // namespace

Address parse_address(const std::string& url) {
  const std::size_t end = url.find("://");
  Address address;
  if (end != url.npos) address.scheme = url.substr(0, end);
  if (address.scheme != "https" && address.scheme != "http")
    throw Error(fmt::format("'{}' is no https or http address", url),
                "a file on this machine is named by 'path'", Exit::invalid_recipe);
  const std::string rest = url.substr(end + 3, url.find('#', end + 3) - end - 3);
  address.host = rest.substr(0, rest.find_first_of("/?"));
  address.path = rest.substr(address.host.size());
  if (!address.path.starts_with('/')) address.path.insert(0, "/");
  if (address.host.empty())
    throw Error(fmt::format("'{}' names no host", url), "", Exit::invalid_recipe);
  const std::string before_query = address.path.substr(0, address.path.find('?'));
  address.name = before_query.substr(before_query.rfind('/') + 1);
  if (address.name.empty() || address.name.starts_with('.')) address.name = "file";
  return address;
}

Proxy proxy_for(const Address& address) {
  std::string text = variable(address.scheme + "_proxy");
  if (text.empty() || is_left_out(without_port(address.host))) return {};
  if (const std::size_t scheme = text.find("://"); scheme != text.npos) text.erase(0, scheme + 3);
  text = text.substr(0, text.find('/'));
  text.erase(0, text.rfind('@') + 1);
  return {without_port(text), port_of(text, 80)};
}

}  // namespace knead::web
