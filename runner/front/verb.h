#pragma once

#include <span>
#include <string>
#include <vector>

#include "runner/front/arguments.h"
#include "schema/document/error.h"

namespace knead::front {

/// Describes one verb of the command line. The table in verbs.cpp lists all of them.
struct Verb {
  std::string name;
  std::string sentence;  // description, for `knead help`
  std::string usage;     // its arguments
  std::string example;   // a whole command line
  std::vector<Option> options;
  Exit (*run)(const Arguments& arguments);  // may throw; main() prints the error
};

/// Returns the table of verbs.
const std::vector<Verb>& verbs();

/// Returns the verb of a name; null if there is none.
const Verb* find_verb(const std::string& name);

// Each verb has its own file.
Exit lint(const Arguments& arguments);
Exit render(const Arguments& arguments);
Exit explain(const Arguments& arguments);
Exit schema_verb(const Arguments& arguments);
Exit run(const Arguments& arguments);
Exit plan(const Arguments& arguments);
Exit runs(const Arguments& arguments);
Exit verify(const Arguments& arguments);
Exit evaluate(const Arguments& arguments);
Exit predict(const Arguments& arguments);
Exit export_verb(const Arguments& arguments);
Exit new_verb(const Arguments& arguments);
Exit import_verb(const Arguments& arguments);
Exit bench(const Arguments& arguments);
Exit completion(const Arguments& arguments);
Exit env(const Arguments& arguments);
Exit help(const Arguments& arguments);

/// Returns the text of `knead help`.
std::string help_text();

/// Returns the text of `knead help VERB`.
std::string help_text(const Verb& verb);

/// Returns the only file of the arguments. Throws knead::Error if there is none or more than one.
std::string only_file(const Verb& verb, const Arguments& arguments);

}  // namespace knead::front
