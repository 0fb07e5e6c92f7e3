#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "schema/document/json_text.h"
#include "schema/print/linted.h"
#include "schema/rules/problem_kinds.h"

namespace knead::schema {
namespace {

using Json = nlohmann::ordered_json;

/// Writes JSON on one line. Invalid UTF-8, as in a file name, becomes U+FFFD, because JSON readers
/// refuse it.
std::string line_of(const Json& json) { return readable_json_text(json) + "\n"; }

const char* word(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

/// Returns a path as a URI (RFC 3986). Relative paths stay relative to the current directory.
std::string uri_of(const std::string& path) {
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

Json rule_of(const ProblemKind& kind) {
  return {{"id", kind.code},
          {"shortDescription", {{"text", kind.code}}},
          {"help", {{"text", kind.words}}}};
}

/// Returns the kinds of problems that occur, with their descriptions.
Json rules_of(const std::vector<Linted>& all) {
  std::set<std::string> codes;
  for (const Linted& linted : all) {
    for (const Problem& problem : linted.problems) codes.insert(problem.code);
  }
  Json rules = Json::array();
  for (const ProblemKind& kind : problem_kinds()) {
    if (codes.contains(std::string(kind.code))) rules.push_back(rule_of(kind));
  }
  return rules;
}

Json result_of(const Linted& linted, const Problem& problem) {
  Json location{{"artifactLocation", {{"uri", uri_of(file_of(linted, problem))}}}};
  if (problem.place.source->is_file()) {
    const int column = problem.place.column();
    location["region"] = {{"startLine", problem.place.line()},
                          {"startColumn", column},
                          {"endColumn", column + problem.place.length()}};
  }
  return {{"ruleId", problem.code},
          {"level", word(problem.severity)},
          {"message", {{"text", in_one_text(problem, ": ")}}},
          {"locations", Json::array({{{"physicalLocation", location}}})}};
}

/// Returns the column of a place in bytes, from 1.
std::size_t byte_column(const Place& place) {
  return place.begin - place.source->line_start(place.line()) + 1;
}

}  // namespace

std::string as_json(const std::vector<Linted>& all) {
  Json list = Json::array();
  std::size_t errors = 0;
  for (const Linted& linted : all) {
    errors += count(linted.problems, Severity::error);
    for (const Problem& problem : linted.problems) {
      list.push_back({{"code", problem.code},
                      {"severity", word(problem.severity)},
                      {"file", problem.place.source->name()},
                      {"line", problem.place.line()},
                      {"column", problem.place.column()},
                      {"end_column", problem.place.column() + problem.place.length()},
                      {"message", problem.message},
                      {"hint", problem.hint}});
    }
  }
  const std::size_t warnings = list.size() - errors;
  return line_of({{"problems", std::move(list)}, {"errors", errors}, {"warnings", warnings}});
}

std::string as_sarif(const std::vector<Linted>& all, const std::string& version) {
  Json results = Json::array();
  for (const Linted& linted : all) {
    for (const Problem& problem : linted.problems) results.push_back(result_of(linted, problem));
  }
  // SARIF knows two units of columns; a reader that assumes UTF-16 code units would mark the wrong
  // text.
  const Json run{
      {"columnKind", "unicodeCodePoints"},
      {"tool", {{"driver", {{"name", "knead"}, {"version", version}, {"rules", rules_of(all)}}}}},
      {"results", std::move(results)}};
  return line_of({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                  {"version", "2.1.0"},
                  {"runs", Json::array({run})}});
}

std::string as_rdjsonl(const std::vector<Linted>& all) {
  std::string out;
  for (const Linted& linted : all) {
    for (const Problem& problem : linted.problems) {
      Json location{{"path", file_of(linted, problem)}};
      if (problem.place.source->is_file()) {
        location["range"]["start"] = {{"line", problem.place.line()},
                                      {"column", byte_column(problem.place)}};
      }
      const bool is_error = problem.severity == Severity::error;
      out += line_of({{"message", in_one_text(problem, ": ")},
                      {"location", location},
                      {"severity", is_error ? "ERROR" : "WARNING"},
                      {"source", {{"name", "knead"}}},
                      {"code", {{"value", problem.code}}}});
    }
  }
  return out;
}

}  // namespace knead::schema
