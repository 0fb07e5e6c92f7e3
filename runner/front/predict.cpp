#include "runner/front/engine.h"
#include "runner/front/verb.h"
#include "schema/document/error.h"

namespace knead::front {

Exit predict(const Arguments& arguments) {
  // The parser does not enforce required options, so that the message can show an example.
  if (!arguments.has("data") || !arguments.has("out"))
    throw Error("'predict' needs --data and --out", "for example: " + find_verb("predict")->example,
                Exit::invalid_recipe);
  return run_engine_on_run(
      "predict", arguments,
      {"--data=" + arguments.options.at("data"), "--out=" + arguments.options.at("out")});
}

}  // namespace knead::front
