#include "schema/print/junit.h"

#include <cmath>

#include <fmt/format.h>

#include "schema/document/source.h"

namespace knead::schema {
namespace {

/// Writes a time in whole milliseconds: "12.345", "0".
std::string xml_seconds(double seconds) {
  return fmt::format("{}", static_cast<double>(std::llround(seconds * 1000)) / 1000);
}

std::string element_of(const JunitCase& each) {
  const std::string text = xml_text(each.text);
  const std::string message = xml_text(each.message);
  switch (each.result) {
    case JunitCase::Result::passed:
      return text.empty() ? "" : fmt::format("<system-out>{}</system-out>", text);
    case JunitCase::Result::skipped: return fmt::format("<skipped message=\"{}\"/>", message);
    case JunitCase::Result::failure:
    case JunitCase::Result::error: break;
  }
  return fmt::format("<{0} message=\"{1}\" type=\"{2}\">{3}</{0}>",
                     each.result == JunitCase::Result::error ? "error" : "failure", message,
                     xml_text(each.type), text);
}

std::string written_case(const JunitCase& each) {
  const std::string head =
      fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{}\"", xml_text(each.group),
                  xml_text(each.name), xml_seconds(each.seconds));
  const std::string element = element_of(each);
  return element.empty() ? head + "/>\n" : head + ">" + element + "</testcase>\n";
}

}  // namespace

std::string junit_xml(const std::string& suite, const std::vector<JunitCase>& cases) {
  std::string text;
  double seconds = 0;
  std::size_t failures = 0, errors = 0, skipped = 0;
  for (const JunitCase& each : cases) {
    text += written_case(each);
    seconds += each.seconds;
    failures += each.result == JunitCase::Result::failure ? 1 : 0;
    errors += each.result == JunitCase::Result::error ? 1 : 0;
    skipped += each.result == JunitCase::Result::skipped ? 1 : 0;
  }
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\"",
                  cases.size(), failures, errors, skipped, xml_seconds(seconds));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n"
      "<testsuite name=\"{1}\" {0}>\n{2}</testsuite>\n</testsuites>\n",
      counts, xml_text(suite), text);
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    const char c = text[at];
    const bool is_control = (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
    if (length == 0 || is_control) {
      out += "\uFFFD";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += text.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  return out;
}

}  // namespace knead::schema
