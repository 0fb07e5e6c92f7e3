#include "runner/front/engine.h"
#include "runner/front/verb.h"

namespace knead::front {

Exit evaluate(const Arguments& arguments) {
  // An empty --set leaves the choice of the sets to the engine, which reads the run's recipe.
  return run_engine_on_run(
      "evaluate", arguments,
      {"--set=" + arguments.get("set", ""), "--format=" + arguments.get("format", "text")});
}

}  // namespace knead::front
