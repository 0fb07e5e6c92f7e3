#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/document/problem.h"

namespace knead::tests {

/// What a bad recipe says about itself, in the comments it begins with:
///
///   # 9:3 error unknown-key: unknown key 'weight_decya' in optimizer (adamw)
///   #   = did you mean 'weight_decay'?
///   # override: batch.micro=7
///   # env: LR=012
///
/// A place in an argument is "override 1:7", one in another file "parts/base.yaml:3:5". A control
/// character is \xNN. Where nothing is wrong it says "# no problem".
struct Header {
  std::string problems;  // the lines about problems, as they are written
  std::vector<std::string> overrides;
  std::map<std::string, std::string> variables;
  std::string arguments;   // the lines about arguments and variables, as they are written
  std::size_t length = 0;  // of the whole header, in bytes
};

Header read_header(std::string_view recipe);

/// The lines that a header must have for these problems. `root`: a folder that is written as
/// <root>.
std::string in_header_words(const schema::Problems& problems, const std::string& recipe,
                            const std::string& root);

}  // namespace knead::tests
