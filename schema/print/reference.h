#pragma once

#include <string>

namespace knead::schema {

/// Returns the language reference as Markdown: the text rules, every key, every kind of problem.
/// This is the text of schema/REFERENCE.md, and changes only with the schema. A block has one
/// section, however many keys lead to it.
std::string reference_page();

}  // namespace knead::schema
