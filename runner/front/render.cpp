#include "schema/render.h"
#include "schema/document/standard_streams.h"

#include "runner/front/verb.h"
#include "schema/load.h"

namespace knead::front {

Exit render(const Arguments& arguments) {
  const std::string file = only_file(*find_verb("render"), arguments);
  // A rendered recipe must be valid: load() throws for an error, where lint reads on.
  const schema::Understood understood =
      schema::load(file, arguments.overrides, schema::this_world());
  print(schema::render(understood.tree, arguments.has("origin")));
  return Exit::done;
}

}  // namespace knead::front
