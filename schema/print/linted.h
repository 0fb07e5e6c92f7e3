#pragma once

#include <string>
#include <vector>

#include "schema/document/problem.h"

namespace knead::schema {

/// The problems of one linted file and of the files that it names. The problems have been sorted by
/// tidy(), and all have a place.
struct Linted {
  std::string file;  // as named by the user
  Problems problems;
};

/// Returns whether a file fails: errors always count, warnings only with `strict`.
bool fails_lint(const Problems& problems, bool strict);

/// Returns the file to show a problem at; a problem in an override is shown at the linted file. The
/// reference is valid as long as both arguments.
const std::string& file_of(const Linted& linted, const Problem& problem);

/// Joins message and hint with `between`, for formats with a single text. Names the override if the
/// problem is in one, unless the override holds a secret.
std::string in_one_text(const Problem& problem, const std::string& between);

/// Returns one line of JSON: {"problems": [{code, severity, file, line, column, end_column,
/// message, hint}], "errors": n, "warnings": n}. Columns count code points from 1; end_column is
/// one past the last. A problem in an override has the file "override" and the position of the
/// argument as its line. Invalid UTF-8, as in a file name, becomes U+FFFD.
std::string as_json(const std::vector<Linted>& all);

/// Returns one line of SARIF 2.1.0 (OASIS) for code scanning services. It describes only the kinds
/// of problems that occur. `version` is the version of knead. Columns count code points from 1. A
/// problem in an override has the linted file as its location, without a region.
std::string as_sarif(const std::vector<Linted>& all, const std::string& version);

/// Returns reviewdog's diagnostic format (rdjsonl), one line of JSON per problem. Columns count
/// bytes of UTF-8 from 1, as that format defines them. The result is empty without problems.
std::string as_rdjsonl(const std::vector<Linted>& all);

/// Returns GitHub workflow commands ("::error file=…::message"), one line per problem, which GitHub
/// shows as annotations. Columns count code points from 1. A problem in an override has no line.
std::string as_github(const std::vector<Linted>& all);

/// Returns JUnit XML with one test case per file; a test case fails if fails_lint() is true for its
/// file. Warnings that do not fail appear as the output of the test case. Characters that XML 1.0
/// does not allow become U+FFFD. All times are 0.
std::string as_junit(const std::vector<Linted>& all, bool strict);

}  // namespace knead::schema
