#include <fmt/format.h>

#include "schema/document/problem_text.h"
#include "schema/print/linted.h"

namespace knead::schema {
namespace {

/// Escapes a text for a GitHub workflow command, as escapeData and escapeProperty of @actions/core
/// do; in a property also ':' and ',', which separate properties.
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

std::string annotation(const Linted& linted, const Problem& problem) {
  std::string properties = "file=" + escaped(file_of(linted, problem), true);
  if (problem.place.source->is_file()) {
    const int column = problem.place.column();
    properties += fmt::format(",line={},col={},endColumn={}", problem.place.line(), column,
                              column + problem.place.length());
  }
  return fmt::format("::{} {},title={}::{}\n",
                     problem.severity == Severity::error ? "error" : "warning", properties,
                     escaped(problem.code, true), escaped(in_one_text(problem, "\n"), false));
}

/// Escapes a text for XML 1.0, which has no control characters but tab and line ends, not even
/// escaped. These and invalid UTF-8 become U+FFFD.
std::string xml(std::string_view text) {
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

std::string test_case(const Linted& linted, bool fails) {
  const std::string head =
      fmt::format("  <testcase classname=\"knead lint\" name=\"{}\" time=\"0\"", xml(linted.file));
  if (linted.problems.empty()) return head + "/>\n";
  const std::string text = xml(to_text(linted.problems));
  if (!fails) return fmt::format("{}><system-out>{}</system-out></testcase>\n", head, text);
  return fmt::format("{}><failure message=\"{}\" type=\"{}\">{}</failure></testcase>\n", head,
                     xml(count_in_words(linted.problems)), xml(linted.problems[0].code), text);
}

}  // namespace

bool fails_lint(const Problems& problems, bool strict) {
  return strict ? !problems.empty() : count(problems, Severity::error) > 0;
}

const std::string& file_of(const Linted& linted, const Problem& problem) {
  return problem.place.source->is_file() ? problem.place.source->name() : linted.file;
}

std::string in_one_text(const Problem& problem, const std::string& between) {
  const Source& source = *problem.place.source;
  std::string text = problem.message;
  if (!source.is_file() && !problem.secret) text += fmt::format(" (in {})", source.text());
  return problem.hint.empty() ? text : text + between + problem.hint;
}

std::string as_github(const std::vector<Linted>& all) {
  std::string out;
  for (const Linted& linted : all) {
    for (const Problem& problem : linted.problems) out += annotation(linted, problem);
  }
  return out;
}

std::string as_junit(const std::vector<Linted>& all, bool strict) {
  std::string cases;
  std::size_t failures = 0;
  for (const Linted& linted : all) {
    const bool fails = fails_lint(linted.problems, strict);
    failures += fails ? 1 : 0;
    cases += test_case(linted, fails);
  }
  const std::string counts = fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\" time=\"0\"", all.size(), failures);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n"
      "<testsuite name=\"knead lint\" {0}>\n{1}</testsuite>\n</testsuites>\n",
      counts, cases);
}

}  // namespace knead::schema
