#pragma once

#include <span>
#include <string>
#include <vector>

#include "runner/front/arguments.h"
#include "schema/document/error.h"

namespace knead::front {

/// One verb of the command line. The table in verbs.cpp is all there is.
struct Verb {
  std::string name;
  std::string sentence;  // what it does, for `knead help`
  std::string usage;     // its arguments
  std::string example;
  std::vector<Option> options;
  Exit (*run)(const Arguments& arguments);
};

const std::vector<Verb>& verbs();

/// Null if there is no such verb.
const Verb* find_verb(const std::string& name);

// One file each.
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

/// The texts of `knead help` and `knead help VERB`.
std::string help_text();
std::string help_text(const Verb& verb);

/// The one recipe that most verbs take; throws knead::Error where there is none, or more.
std::string only_file(const Verb& verb, const Arguments& arguments);

}  // namespace knead::front
