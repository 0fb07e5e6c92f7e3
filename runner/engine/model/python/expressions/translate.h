#pragma once

#include <string>

namespace knead::engine::model {

/// Translates a regular expression of Python's module re to the syntax of PCRE2. Throws Mistake
/// with the exception `error`, as re.compile() does, for what Python does not know and for the few
/// parts that PCRE2 reads differently and no translation has: named characters and inline flags of
/// the alphabet. What is wrong in both is left to PCRE2.
std::string to_pcre2(const std::string& pattern);

}  // namespace knead::engine::model
