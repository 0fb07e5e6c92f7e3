#include "runner/front/verb.h"
#include "schema/document/standard_streams.h"
#include "schema/print/json_schema.h"
#include "schema/print/reference.h"

namespace knead::front {

Exit schema_verb(const Arguments& arguments) {
  if (!arguments.files.empty() || !arguments.overrides.empty()) {
    throw Error("'schema' takes no recipe", "'knead explain KEY FILE' looks into one",
                Exit::invalid_recipe);
  }
  // JSON Schema is the default, because editors read it from a file that the shell writes.
  const bool as_page = arguments.get("format", "json") == "markdown";
  print(as_page ? schema::reference_page() : schema::json_schema());
  return Exit::done;
}

}  // namespace knead::front
