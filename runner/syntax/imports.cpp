#include <fmt/format.h>

#include "runner/syntax/parser.h"

namespace knead::syntax {

/// Parses `a.b.c`.
std::string Parser::dotted_name() {
  std::string dotted = name("the name of a module").text;
  while (accept(".")) dotted += "." + name("a name").text;
  return dotted;
}

/// Parses `a.b as c` for a module, `a as c` for a name of a module.
ImportedName Parser::imported_name(bool dotted) {
  const std::uint32_t begin = here();
  ImportedName imported;
  imported.name = dotted ? dotted_name() : name("a name").text;
  if (accept("as")) imported.alias = name("a name").text;
  imported.range = since(begin);
  return imported;
}

Statement::Kind Parser::import_statement() {
  take();
  Import import;
  do {
    import.names.push_back(imported_name(true));
  } while (accept(","));
  if (at("from")) refuse(peek().range, "'from' comes first", "write 'from MODULE import NAME'");
  return import;
}

Statement::Kind Parser::from_import() {
  take();
  Import import;
  import.is_from = true;
  // The tokenizer reads three dots as one symbol.
  while (at(".") || at("...")) import.level += take().is(".") ? 1 : 3;
  if (!at("import") || import.level == 0) import.module = dotted_name();
  expect("import");
  if (at("*")) {
    const Token star = take();
    if (surroundings_.in_function || surroundings_.in_class) {
      refuse(star.range, "'import *' stands at the top of a file only");
    }
    import.names.push_back({"*", "", star.range});
    return import;
  }
  const bool in_parentheses = accept("(");
  do {
    import.names.push_back(imported_name(false));
  } while (accept(",") && !(in_parentheses && at(")")));
  if (in_parentheses) expect_closing(")");
  return import;
}

}  // namespace knead::syntax
