#pragma once

#include <string>

namespace knead::schema {

/// The reference of the language as Markdown: every key, the text rules, every kind of problem.
std::string reference_page();

}  // namespace knead::schema
