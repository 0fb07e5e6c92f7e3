#pragma once

#include <string>
#include <vector>

namespace knead::schema {

/// A test case of a JUnit report: what was looked at, and what came of it.
struct JunitCase {
  enum class Result { passed, skipped, failure, error };

  std::string group;  // the attribute `classname`, by which services group cases
  std::string name;
  double seconds = 0;
  Result result = Result::passed;
  /// One line that says why, unless the case passed.
  std::string message{};
  /// The kind of a failure or an error.
  std::string type{};
  /// What a person reads below the message; the output of a case that passed. May be empty.
  std::string text{};
};

/// Returns JUnit XML with one suite of cases, in their order, whose time is the sum of theirs.
/// Characters that XML 1.0 does not allow become U+FFFD.
std::string junit_xml(const std::string& suite, const std::vector<JunitCase>& cases);

/// Escapes a text for XML 1.0, which has no control characters but tab and line ends, not even
/// escaped. These and invalid UTF-8 become U+FFFD.
std::string xml_text(std::string_view text);

}  // namespace knead::schema
