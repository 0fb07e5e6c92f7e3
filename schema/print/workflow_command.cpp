#include "schema/print/workflow_command.h"

#include <fmt/format.h>

namespace knead::schema {
namespace {

/// Escapes a text; in a property also ':' and ',', which separate properties.
std::string escaped(const std::string& text, bool is_property) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%': out += "%25"; break;
      case '\r': out += "%0D"; break;
      case '\n': out += "%0A"; break;
      case ':': out += is_property ? "%3A" : ":"; break;
      case ',': out += is_property ? "%2C" : ","; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace

std::string workflow_command(const std::string& level,
                             const std::vector<std::pair<std::string, std::string>>& properties,
                             const std::string& message) {
  std::string written;
  for (const auto& [name, value] : properties)
    written += fmt::format("{}{}={}", written.empty() ? " " : ",", name, escaped(value, true));
  return fmt::format("::{}{}::{}\n", level, written, escaped(message, false));
}

}  // namespace knead::schema
