#pragma once

#include <string>
#include <vector>

#include "schema/document/problem.h"

namespace knead::schema {

/// A file that was linted, as it was named, with what was found in it and in the files it names.
struct Linted {
  std::string file;
  Problems problems;
};

/// Whether problems make a file fail: errors do, warnings only where they are asked to (`strict`).
bool fails_lint(const Problems& problems, bool strict);

/// The file to show a problem at: what is wrong in an override counts as the linted file's.
const std::string& file_of(const Linted& linted, const Problem& problem);

/// What is wrong and what to do, for readers that have one text only; with the override it is in.
std::string in_one_text(const Problem& problem, const std::string& between);

/// {"problems": [{code, severity, file, line, column, end_column, message, hint}], "errors": n,
/// "warnings": n}, a line. Columns count code points from 1; end_column is one past the last.
std::string as_json(const std::vector<Linted>& all);

/// SARIF 2.1.0 (OASIS), a line: what code scanning services take. Only the kinds of problem that
/// occur are described. `version`: of knead.
std::string as_sarif(const std::vector<Linted>& all, const std::string& version);

/// Reviewdog's diagnostic format, a line per problem. Columns count bytes of UTF-8 from 1.
std::string as_rdjsonl(const std::vector<Linted>& all);

/// Workflow commands, a line per problem, that GitHub shows beside the lines of a change.
std::string as_github(const std::vector<Linted>& all);

/// JUnit's XML: a test case per file, which fails if it has an error, or with `strict` a warning.
std::string as_junit(const std::vector<Linted>& all, bool strict);

}  // namespace knead::schema
